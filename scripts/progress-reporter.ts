import { relative } from 'node:path';
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** Prints one line per test file, with its number and how many there are, and the failed tests at the end. */
export default class ProgressReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    super.onTestRunStart(specifications);
  }

  protected override printTestModule(module: TestModule): void {
    this.#ended += 1;
    const tests = [...module.children.allTests()];
    const failed = tests.filter((test) => test.result().state === 'failed');
    const state = module.ok() ? 'ok  ' : 'FAIL';
    this.log(
      `${state} ${this.#ended} of ${this.#files}  ${relative(process.cwd(), module.moduleId)} (${tests.length} tests, ${Math.round(module.diagnostic().duration)} ms)`,
    );
    for (const test of failed) this.log(`     failed: ${test.fullName}`);
  }
}
