// Uploaded pictures on PostgreSQL. Changes lock the user, so the picture and the address that shows it change together.
import type { PictureExtension } from '../../../identity/pictures/picture-file'
import type { UserPicturePort } from '../../../identity/pictures/user-pictures'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'

const SHOW = {
  name: 'user-picture-show',
  text: 'UPDATE "user" SET picture = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 RETURNING 1',
}

const PUT = {
  name: 'user-picture-put',
  text: `INSERT INTO user_picture (tenant_id, user_id, name, extension, bytes, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET name = excluded.name, extension = excluded.extension, bytes = excluded.bytes,
  created_at = excluded.created_at`,
}

const HIDE = {
  name: 'user-picture-hide',
  text: `UPDATE "user" SET picture = NULL, updated_at = $3 WHERE tenant_id = $1 AND id = $2 AND picture IS NOT NULL RETURNING 1`,
}

export const REMOVE_PICTURE = {
  name: 'user-picture-remove',
  text: 'DELETE FROM user_picture WHERE tenant_id = $1 AND user_id = $2',
}

const FIND = {
  name: 'user-picture-find',
  text: `SELECT p.bytes FROM user_picture p JOIN "user" u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
WHERE p.tenant_id = $1 AND p.name = $2 AND p.extension = $3 AND right(u.picture, length(p.name) + length(p.extension) + 2)
  = '/' || p.name || '.' || p.extension`,
  row: columns<{ bytes: Uint8Array }>({ bytes: 'bytes' }),
}

const OF_USER = {
  name: 'user-picture-of-user',
  text: 'SELECT extension, bytes FROM user_picture WHERE tenant_id = $1 AND user_id = $2',
  row: columns<{ extension: string; bytes: Uint8Array }>({ extension: 'text', bytes: 'bytes' }),
}

export const userPictureStore = ({ pool }: Database, tenantId: string): UserPicturePort => ({
  put: (userId, { name, extension, bytes }, url, at) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, SHOW, [tenantId, userId, url, at])).length === 0) return false
      await run(client, PUT, [tenantId, userId, name, extension, bytes, at])
      return true
    }),
  remove: (userId, at) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, HIDE, [tenantId, userId, at])).length === 0) return false
      await run(client, REMOVE_PICTURE, [tenantId, userId])
      return true
    }),
  async find(name, extension) {
    return (await run(pool, FIND, [tenantId, name, extension]))[0]?.bytes ?? null
  },
  async ofUser(userId) {
    const [row] = await run(pool, OF_USER, [tenantId, userId])
    return row ? { bytes: row.bytes, extension: row.extension as PictureExtension } : null
  },
})
