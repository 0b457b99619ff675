// The operator's own commands may leave a tenant without an owner of the console, which no other change may (ADR 47): the holder of the
// database can make another.
import type { PoolClient } from 'pg'
import { IN_TIME } from './database'

export const AS_OPERATOR = "SELECT set_config('latchkey.operator', 'on', true)"

/** For the rest of the transaction. */
export async function asOperator(client: PoolClient): Promise<void> {
  await client.query({ text: AS_OPERATOR, ...IN_TIME })
}
