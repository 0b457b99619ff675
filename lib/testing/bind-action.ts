// Binds actions of a tenant in a test, as a tenant file would.
import type { TriggerName } from '../rules/trigger'
import type { TestServer } from './server'

type Settings = Parameters<TestServer['setTenant']>[0]

/** Runs `code` at `trigger` and no other action; `settings` are the tenant's other settings. */
export async function bindAction(
  server: TestServer,
  trigger: TriggerName,
  code: string,
  settings: Settings = {},
): Promise<void> {
  const row = { code, trigger, deployed: true, sealed: {} }
  await server.database.pool.query(
    `INSERT INTO action (tenant_id, name, settings, updated_at) VALUES ('default', $1, $2, now())
    ON CONFLICT (tenant_id, name) DO UPDATE SET settings = excluded.settings`,
    [`At ${trigger}`, row],
  )
  await server.setTenant({ ...settings, triggers: { [trigger]: [{ action_name: `At ${trigger}` }] } })
}

export const postLogin = (body: string, after = ''): string =>
  `exports.onExecutePostLogin = async (event, api) => { ${body} };\n${after}`
