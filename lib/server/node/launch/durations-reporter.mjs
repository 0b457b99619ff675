// A vitest reporter: the seconds of every test file, its set-up included, as JSON to `DURATIONS_FILE`. vitest's own JSON report
// leaves out what a file's hooks take.
import { writeFile } from 'node:fs/promises'
import process from 'node:process'

export default class DurationsReporter {
  /** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
  async onTestRunEnd(modules) {
    const { DURATIONS_FILE: path } = process.env
    if (!path) return
    const seconds = modules.map((module) => [module.relativeModuleId, module.diagnostic().duration / 1000])
    await writeFile(path, JSON.stringify(Object.fromEntries(seconds)))
  }
}
