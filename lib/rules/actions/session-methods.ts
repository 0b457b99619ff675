// The calls of `api.session`: an earlier end, metadata, the cookie, and the end of the session at once.
import * as z from 'zod'
import { changed, type Entries, type EntryChanges, entryName, entryText, MAX_ENTRIES } from '../../kernel/entries'
import type { Json } from '../../kernel/json'
import type { SessionEnds } from '../../sessions/session-changes'
import type { Effects } from '../trigger'
import { isSafeName } from './sanitize'

type Context = { metadataOf(part: 'session'): Entries }
type Method = (effects: Effects, args: Json[], context: Context) => void

/** The largest that a Date can be, in milliseconds. */
const MAX_TIME = 8.64e15

const time = z.tuple([z.number().int().positive().max(MAX_TIME)]).rest(z.unknown())
const name = entryName.refine(isSafeName, 'is no name')
const entry = z.tuple([name, entryText.nullish()]).rest(z.unknown())

/** Several calls count as the earliest. */
const endSession =
  (of: keyof SessionEnds): Method =>
  (effects, args) => {
    const [at] = time.parse(args)
    effects.session = { ...effects.session, [of]: Math.min(at, effects.session?.[of] ?? at) }
  }

/** Without a value the name is removed, as with null. */
const withEntry = (before: EntryChanges | undefined, args: Json[]): EntryChanges => {
  const [key, value = null] = entry.parse(args)
  return { evicts: before?.evicts ?? false, set: { ...before?.set, [key]: value } }
}

function describe(effects: Effects, metadata: EntryChanges, { metadataOf }: Context): void {
  if (Object.keys(changed(metadataOf('session'), metadata)).length > MAX_ENTRIES)
    throw new Error(`leads to more than ${MAX_ENTRIES} members`)
  effects.session = { ...effects.session, metadata }
}

const reason = z.string().max(1000)
const revocation = z
  .tuple([reason, z.object({ preserveRefreshTokens: z.boolean().optional() }).nullish()])
  .rest(z.unknown())
const cookie = z.tuple([z.enum(['persistent', 'non-persistent'])]).rest(z.unknown())

export const SESSION_METHODS: Readonly<Record<string, Method>> = {
  /** Denies the login, and ends the session of the browser. There is none to end at a first login, where it denies alone. */
  'session.revoke'(effects, args) {
    const [said, options] = revocation.parse(args)
    const endsSession = { keepsTokens: options?.preserveRefreshTokens ?? false }
    effects.denied = { code: 'access_denied', reason: said, userMessage: null, failed: false, endsSession }
  },
  'session.setExpiresAt': endSession('expiresAt'),
  'session.setIdleExpiresAt': endSession('idleExpiresAt'),
  'session.setCookieMode'(effects, args) {
    const [mode] = cookie.parse(args)
    effects.session = { ...effects.session, persistent: mode === 'persistent' }
  },
  'session.setMetadata': (effects, args, context) =>
    describe(effects, withEntry(effects.session?.metadata, args), context),
  'session.deleteMetadata': (effects, [key = null], context) =>
    describe(effects, withEntry(effects.session?.metadata, [key]), context),
  'session.evictMetadata': (effects, _args, context) => describe(effects, { evicts: true, set: {} }, context),
}
