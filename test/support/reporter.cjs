/** mocha's "spec", and after it the totals alone on one line, for whoever reads them by program. */
'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class TotalsReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const file = process.env.TEST_TOTALS_FILE;
    // One of several runs side by side: test/run.ts adds them up.
    if (file !== undefined) {
      const failed = this.failures.map((test) => ({
        title: test.fullTitle(),
        error: String(test.err?.stack ?? test.err),
      }));
      writeFileSync(file, JSON.stringify({ passes, failures, pending, failed }));
      return;
    }
    const skipped = pending > 0 ? `, ${pending} skipped` : '';
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
