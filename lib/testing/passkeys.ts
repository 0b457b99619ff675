// Passkeys of test servers.
import type { TestServer } from './server'

/** The connection `Users` of a tenant offers passkeys. */
export async function offerPasskeys(
  { database, clock }: Pick<TestServer, 'database' | 'clock'>,
  passkey_options: Record<string, unknown> = {},
  { tenantId = 'default', ...more }: { tenantId?: string; [option: string]: unknown } = {},
): Promise<void> {
  const options = { authentication_methods: { passkey: { enabled: true } }, passkey_options, ...more }
  await database.pool.query(
    "UPDATE connection SET settings = jsonb_set(settings, '{options}', $1) WHERE name = 'Users' AND tenant_id = $2",
    [JSON.stringify(options), tenantId],
  )
  clock.advance(2)
}
