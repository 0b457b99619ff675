// The calls of an action at a custom token exchange: whom the subject token is about, or why it is refused.
import * as z from 'zod'
import type { Json } from '../../../kernel/json'
import { exchangedAttributes } from '../exchanged-attributes'
import type { Effects } from '../trigger'

type Method = (effects: Effects, args: Json[]) => void

const text = z.string().max(1000)
const id = z.string().min(1).max(300)
/** A code of OAuth (RFC 6749 5.2). */
const code = z.string().regex(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,100}$/)

const behavior = z.object({
  creationBehavior: z.enum(['create_if_not_exists', 'none']).default('none'),
  updateBehavior: z.enum(['replace', 'none']).default('none'),
})

const MAX_ACTOR = 4096
const actor = z
  .looseObject({ sub: z.string().min(1).max(300) })
  .refine((value) => JSON.stringify(value).length <= MAX_ACTOR, 'is too large')

const put = (effects: Effects, more: Effects['exchange']): void => {
  effects.exchange = { ...effects.exchange, ...more }
}

export const EXCHANGE_METHODS: Readonly<Record<string, Method>> = {
  'access.deny'(effects, args) {
    const [given, reason = 'Access denied'] = z.tuple([code, text.optional()]).rest(z.unknown()).parse(args)
    effects.denied = { code: given, reason, userMessage: null, failed: false }
  },
  'access.rejectInvalidSubjectToken'(effects, args) {
    const [reason = 'The subject token is invalid'] = z.tuple([text.optional()]).rest(z.unknown()).parse(args)
    effects.denied = { code: 'invalid_request', reason, userMessage: null, failed: false, rejectsToken: true }
  },
  'authentication.setUserById'(effects, args) {
    const [userId] = z.tuple([id]).rest(z.unknown()).parse(args)
    put(effects, { user: { by: 'id', userId } })
  },
  'authentication.setUserByConnection'(effects, args) {
    const [connection, given, options = {}] = z
      .tuple([z.string().min(1).max(128), exchangedAttributes, behavior.partial().optional()])
      .rest(z.unknown())
      .parse(args)
    const { creationBehavior, updateBehavior } = behavior.parse(options)
    put(effects, {
      user: {
        ...{ by: 'connection', connection, attributes: given },
        ...{ creates: creationBehavior === 'create_if_not_exists', updates: updateBehavior === 'replace' },
      },
    } as Effects['exchange'])
  },
  'authentication.setOrganization'(effects, args) {
    const [organization] = z.tuple([id]).rest(z.unknown()).parse(args)
    put(effects, { organization })
  },
  'authentication.setActor'(effects, args) {
    const [given] = z.tuple([actor]).rest(z.unknown()).parse(args)
    put(effects, { actor: given as { sub: string } & Record<string, Json> })
  },
}
