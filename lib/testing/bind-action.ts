// Binds actions of a tenant in a test, as a tenant file would.
import type { TriggerName } from '../data/tenants/triggers'
import type { TestServer } from './server'

type Settings = Parameters<TestServer['setTenant']>[0]

/** Runs `code` at `trigger` and no other action; `settings` are the tenant's other settings. */
export const bindAction = (
  server: TestServer,
  trigger: TriggerName,
  code: string,
  settings: Settings = {},
): Promise<void> => bindActions(server, trigger, [code], settings)

/** Runs these at `trigger`, in this order. */
export async function bindActions(
  server: TestServer,
  trigger: TriggerName,
  codes: readonly string[],
  settings: Settings = {},
): Promise<void> {
  const names = codes.map((_, index) => (index === 0 ? `At ${trigger}` : `At ${trigger} ${index + 1}`))
  for (const [index, code] of codes.entries()) {
    await server.database.pool.query(
      `INSERT INTO action (tenant_id, name, settings, updated_at) VALUES ('default', $1, $2, now())
      ON CONFLICT (tenant_id, name) DO UPDATE SET settings = excluded.settings`,
      [names[index], { code, trigger, deployed: true, sealed: {} }],
    )
  }
  await server.setTenant({ ...settings, triggers: { [trigger]: names.map((action_name) => ({ action_name })) } })
}

export const postLogin = (body: string, after = ''): string =>
  `exports.onExecutePostLogin = async (event, api) => { ${body} };\n${after}`

/** An action that judges subject tokens of a type, which has the id `judge`. */
export async function addJudge({ database }: TestServer, type: string, body: string): Promise<void> {
  const code = `exports.onExecuteCustomTokenExchange = async (event, api) => { ${body} }`
  await database.pool.query(
    "INSERT INTO action (tenant_id, name, id, settings, updated_at) VALUES ('default', 'Judge', 'judge', $1, now())",
    [{ code, trigger: 'custom-token-exchange', deployed: true, sealed: {} }],
  )
  await database.pool.query(
    `INSERT INTO token_exchange_profile (tenant_id, id, name, subject_token_type, action_id, created_at, updated_at)
     VALUES ('default', 'tep_1', 'Judged', $1, 'judge', now(), now())`,
    [type],
  )
}
