import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { systemClock } from '../../kernel/clock'
import { GRANT_NAMES } from '../../protocols/oauth/grants/index'
import { parseEnv } from '../../settings/env'
import { openMetrics } from './metrics'

it('counts every grant under its name, the vendor’s own too', async () => {
  const pool = new Pool()
  const passwords = { load: () => ({ running: 0, waiting: 0 }) }
  const env = parseEnv({ LATCHKEY_DEMO: '1', LATCHKEY_OPERATOR_TOKEN: 'the-token-of-the-operator' })
  const metrics = await openMetrics(env, { pool, passwords, clock: systemClock, redis: undefined })
  for (const grant of GRANT_NAMES) {
    const facts = { grant }
    metrics?.event({ name: 'login', facts, tenantId: 't', hostname: 'h', at: new Date(0), source: null })
  }
  const page = (await metrics?.page()) ?? ''
  await pool.end()
  for (const grant of GRANT_NAMES) expect(page).toContain(`connection="",grant="${grant}"} 1`)
  expect(page).not.toContain('grant="other"')
})
