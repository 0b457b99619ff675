// Device credentials on PostgreSQL. Adding one locks the user, so that concurrent additions count each other.
import { type DeviceCredentialPort, MAX_DEVICE_CREDENTIALS } from '../../../data/users/device-credential'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'

const HOLD_USER = {
  name: 'device-credential-hold-user',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
}

const INSERT = {
  name: 'device-credential-insert',
  text: `INSERT INTO device_credential (tenant_id, id, user_id, client_id, type, device_name, device_id, value, created_at)
SELECT u.tenant_id, $3, u.id, $4, $5, $6, $7, $8, $9 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2 AND u.email_verified = $11 AND u.phone_verified = $12
  AND u.recovery_epoch = $13
  AND (SELECT count(*) FROM device_credential WHERE tenant_id = $1 AND user_id = $2) < $10
RETURNING 1`,
}

const REMOVE = {
  name: 'device-credential-remove',
  text: 'DELETE FROM device_credential WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING 1',
}

export const deviceCredentialStore = ({ pool }: Database, tenantId: string): DeviceCredentialPort => ({
  insert: ({ id, userId, clientId, type, deviceName, deviceId, value, createdAt }, owner) =>
    inTransaction(pool, async (client) => {
      await run(client, HOLD_USER, [tenantId, userId])
      const device = [clientId, type, deviceName, deviceId, value, createdAt]
      const standing = [owner.emailVerified, owner.phoneVerified, owner.recoveryEpoch]
      const values = [tenantId, userId, id, ...device, MAX_DEVICE_CREDENTIALS, ...standing]
      return (await run(client, INSERT, values)).length === 1
    }),
  async remove(userId, id) {
    return (await run(pool, REMOVE, [tenantId, userId, id])).length === 1
  },
})
