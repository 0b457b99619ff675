// The start of the process under `next start`: the edge stands in front of Next, and the tenant registry opens before the first
// request. Invalid settings end the start, because they cannot recover; an unavailable database may.

import { EnvError } from '../../settings/env'
import { writeAsLines } from '../maintenance/lines'
import { createLogger } from '../maintenance/log'
import { standInFront } from './edge'
import { nextRuntime, publicOrigin, reportFailure } from './runtime'
import { isSecondaryProcess } from './secondary-process'

export async function openAtStart(): Promise<void> {
  if (!isSecondaryProcess()) {
    standInFront(publicOrigin())
    if (!process.stdout.isTTY) writeAsLines(createLogger('info'))
  }
  try {
    await nextRuntime()
  } catch (error) {
    if (error instanceof EnvError) refuse(error)
    reportFailure(error)
  }
}

function refuse({ problems }: EnvError): never {
  const sentence = ['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n')
  if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`)
  else createLogger('fatal', process.stderr).fatal({}, sentence)
  process.exit(1)
}
