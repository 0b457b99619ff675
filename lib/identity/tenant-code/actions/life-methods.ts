// The calls of `api.session` and `api.refreshToken`: an earlier end, metadata, the cookie, and the end at once.
import * as z from 'zod'
import { changed, type Entries, type EntryChanges, entryName, entryText, MAX_ENTRIES } from '../../../kernel/entries'
import type { Json } from '../../../kernel/json'
import type { Denied, Effects } from '../trigger'
import { isSafeName } from './sanitize'

type Context = { metadataOf(part: 'session' | 'refresh_token'): Entries }
type Method = (effects: Effects, args: Json[], context: Context) => void

/** What ends and has metadata, and its name in the event. */
const PARTS = { session: 'session', refreshToken: 'refresh_token' } as const
type Part = keyof typeof PARTS

/** The largest that a Date can be, in milliseconds. */
const MAX_TIME = 8.64e15

const time = z.tuple([z.number().int().positive().max(MAX_TIME)]).rest(z.unknown())
const name = entryName.refine(isSafeName, 'is no name')
const entry = z.tuple([name, entryText.nullish()]).rest(z.unknown())

/** Several calls count as the earliest. */
const end =
  (part: Part, of: 'expiresAt' | 'idleExpiresAt'): Method =>
  (effects, args) => {
    const [at] = time.parse(args)
    effects[part] = { ...effects[part], [of]: Math.min(at, effects[part]?.[of] ?? at) }
  }

/** Without a value the name is removed, as with null. */
const withEntry = (before: EntryChanges | undefined, args: Json[]): EntryChanges => {
  const [key, value = null] = entry.parse(args)
  return { evicts: before?.evicts ?? false, set: { ...before?.set, [key]: value } }
}

function describe(part: Part, effects: Effects, metadata: EntryChanges, { metadataOf }: Context): void {
  if (Object.keys(changed(metadataOf(PARTS[part]), metadata)).length > MAX_ENTRIES)
    throw new Error(`leads to more than ${MAX_ENTRIES} members`)
  effects[part] = { ...effects[part], metadata }
}

const lifeOf = (part: Part): Readonly<Record<string, Method>> => ({
  [`${part}.setExpiresAt`]: end(part, 'expiresAt'),
  [`${part}.setIdleExpiresAt`]: end(part, 'idleExpiresAt'),
  [`${part}.setMetadata`]: (effects, args, context) =>
    describe(part, effects, withEntry(effects[part]?.metadata, args), context),
  [`${part}.deleteMetadata`]: (effects, [key = null], context) =>
    describe(part, effects, withEntry(effects[part]?.metadata, [key]), context),
  [`${part}.evictMetadata`]: (effects, _args, context) => describe(part, effects, { evicts: true, set: {} }, context),
})

const text = z.string().max(1000)
const refusal = z.tuple([text]).rest(z.unknown())
const revocation = z
  .tuple([text, z.object({ preserveRefreshTokens: z.boolean().optional() }).nullish()])
  .rest(z.unknown())
const cookie = z.tuple([z.enum(['persistent', 'non-persistent'])]).rest(z.unknown())

const deny = (effects: Effects, reason: string, ends: Partial<Denied>): void => {
  effects.denied = { code: 'access_denied', reason, userMessage: null, failed: false, ...ends }
}

export const LIFE_METHODS: Readonly<Record<string, Method>> = {
  ...lifeOf('session'),
  ...lifeOf('refreshToken'),
  /** There is no session to end at a first login, where it denies alone. */
  'session.revoke'(effects, args) {
    const [reason, options] = revocation.parse(args)
    deny(effects, reason, { endsSession: { keepsTokens: options?.preserveRefreshTokens ?? false } })
  },
  /** There is no token to end but at a refresh; elsewhere it denies alone. */
  'refreshToken.revoke'(effects, args) {
    const [reason] = refusal.parse(args)
    deny(effects, reason, { revokes: true })
  },
  'session.setCookieMode'(effects, args) {
    const [mode] = cookie.parse(args)
    effects.session = { ...effects.session, persistent: mode === 'persistent' }
  },
}
