// A login of which the login inspector has the steps, without the login.
import { randomUUID } from 'node:crypto'
import type { TestServer } from './server'

/** Returns its id. */
export async function storedLogin({ loginLog, clock }: Pick<TestServer, 'loginLog' | 'clock'>): Promise<string> {
  const login = randomUUID()
  const part = {
    ...{ login, at: clock.now(), endpoint: 'e', requestId: 'r', outcome: 'failed' as const, reason: null },
    ...{ clientId: null, clientName: null, connection: null, userId: null, person: null, ip: '', userAgent: null },
    steps: [],
  }
  loginLog.add(part, 'default', { successes_per_hour: 1, days: 1 })
  await loginLog.flush()
  return login
}
