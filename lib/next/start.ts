// The start of the process under `next start`: marks sockets with their addresses, and opens the tenant registry before the
// first request. Invalid settings end the start, because they cannot recover; an unavailable database may.
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
