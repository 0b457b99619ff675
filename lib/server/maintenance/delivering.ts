// The triggers of tenants whose actions deliver messages in place of the server, and their actions.
import type { Pool } from 'pg'
import type { DeliveringFacts } from '../doctor/judge'

const DELIVERING = `WITH delivering (tenant_id, trigger) AS (
  SELECT tenant_id, 'custom-' || kind || '-provider' FROM message_provider
  WHERE name = 'custom' AND cardinality(channels) > 0
  UNION ALL SELECT id, 'send-phone-message' FROM tenant
  WHERE settings #>> '{guardianPhoneFactorSelectedProvider,provider}' = 'phone-message-hook'
)
SELECT tenant_id AS tenant, trigger,
  ARRAY(SELECT jsonb_path_query(settings::jsonb -> 'triggers' -> trigger, '$[*].action_name') #>> '{}') AS bound,
  ARRAY(SELECT name FROM action WHERE action.tenant_id = tenant.id AND action.settings ->> 'trigger' = trigger
    AND action.settings ->> 'deployed' IS DISTINCT FROM 'false') AS deployed
FROM delivering JOIN tenant ON tenant.id = delivering.tenant_id ORDER BY 1, 2`

export const findDelivering = async (pool: Pool): Promise<DeliveringFacts[]> =>
  (await pool.query<DeliveringFacts>(DELIVERING)).rows
