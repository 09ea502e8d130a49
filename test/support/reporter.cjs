/** mocha's "spec", and after it the totals alone on one line, for whoever reads them by program. */
'use strict';
const { reporters, Runner } = require('mocha');

module.exports = class TotalsReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : '';
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
module.exports.description = `${reporters.Spec.description}, with totals (${Runner.constants.EVENT_RUN_END})`;
