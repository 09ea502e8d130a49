/** mocha's "spec", and after it the totals alone on one line, for whoever reads them by program. */
'use strict';
const { reporters } = require('mocha');

module.exports = class TotalsReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : '';
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
