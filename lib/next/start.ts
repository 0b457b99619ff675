// The start of the process under `next start` and on a platform: sockets are marked, and the house is opened ahead of
// the first request. Wrong settings cannot heal, so they end the start; a database that is away may come back.
import { EnvError } from '../settings/env'
import { stampEverySocket } from './address'
import { nextRuntime, reportFailure } from './runtime'
import { isSecondaryProcess } from './secondary-process'

export async function openAtStart(): Promise<void> {
  if (!isSecondaryProcess()) stampEverySocket()
  try {
    await nextRuntime()
  } catch (error) {
    if (error instanceof EnvError) refuse(error)
    reportFailure(error)
  }
}

function refuse({ problems }: EnvError): never {
  process.stderr.write(['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`), ''].join('\n'))
  process.exit(1)
}
