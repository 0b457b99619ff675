// The vendor's user object, as managers see it.

import * as z from 'zod'
import type { ManagedUser } from '../../data/users/managed-user'
import type { Portray } from '../../data/users/picture'
import { presentProfile } from '../../data/users/profile'
import { type JsonObject, objectIn } from '../../kernel/json'

/** An account of a user. Its tokens are those of the identity provider. */
export const shownIdentity = z.object({
  connection: z.string(),
  provider: z.string(),
  user_id: z.string(),
  isSocial: z.boolean(),
  profileData: z.looseObject({}).optional(),
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
})

export function presentUser(managed: ManagedUser, { portray }: { portray: Portray }): JsonObject {
  const { user, lastPasswordReset, hasFactor } = managed
  const name = user.name ?? user.email ?? user.username
  const nickname = user.nickname ?? user.email?.split('@')[0] ?? user.username
  return {
    ...objectIn(presentProfile({ ...managed, user: portray(user) })),
    ...(name === null ? {} : { name }),
    ...(nickname === null ? {} : { nickname }),
    app_metadata: objectIn(user.appMetadata),
    blocked: user.blocked,
    ...(lastPasswordReset === null ? {} : { last_password_reset: lastPasswordReset.toISOString() }),
    ...(hasFactor ? { multifactor: ['guardian'] } : {}),
  }
}
