// POST /mfa/challenge (the contract's "MFA challenge"): selects the factor and sends a code or push if it needs one.
// - Usable factors are those that the user has, the tenant enables, the login accepts, and the client has the grant for.
// - Without a requested factor the one with the least effort is chosen; a message is sent only if no cheaper factor is usable.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { SERVER } from '../../../http/examples'
import { bodyParameters, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { acceptedFactors } from '../../../identity/mfa/accepted'
import type { Authenticator } from '../../../identity/mfa/authenticator'
import { byRank, type FactorName, factorNamed, isFallback } from '../../../identity/mfa/factors/index'
import { openChallenge } from '../../../identity/mfa/open-challenge'
import { DomainError, malformedParameter, missingParameter } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import { openGrantLogin, subjectOfGrant } from '../../../login/browserless/grant-login'
import { localeOf } from '../../../pages/respond'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { vendorGrant } from '../../../protocols/oauth/vendor-grant'
import { credentials } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const mfaChallenge = defineEndpoint<Runtime>({
  name: 'mfa.challenge',
  limit: 'mfa',
  shed: 'last',
  refused: 'login_refused',
  cors: 'open',
  errors: oauthJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Second factors',
    POST: {
      summary: 'Start the proof of a second factor',
      caller: ['client'],
      body: z.object({
        ...credentials(),
        mfa_token: text('The token of the answer `mfa_required`'),
        authenticator_id: optional('The factor; the default is the one with the least effort'),
        challenge_type: optional('The types that are supported: `otp`, `oob`, or both separated by a space'),
      }),
      answers: {
        200: {
          says: 'What is to be answered',
          schema: z.object({
            challenge_type: z.enum(['otp', 'oob']),
            oob_code: z.string().optional(),
            binding_method: z.string().optional(),
          }),
        },
      },
      examples: { any: { body: { ...SERVER, mfa_token: '<mfa_token>', challenge_type: 'oob otp' } } },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const { mfa_token: token, authenticator_id: id, challenge_type: types, ...rest } = bodyParameters(request)
  const client = await authenticateClient(request, rest, runtime)
  if (!token) throw missingParameter('mfa_token')
  const login = await openGrantLogin(token, client, runtime)
  await count(login.user.id)
  const locale = localeOf(request, runtime.settings)
  const subject = subjectOfGrant(login, client, { ip: request.ip, locale })
  const { usable, enrolled, enrollable } = await acceptedFactors(subject, runtime)
  const supported = supportedTypes(types, client, runtime)
  if (!enrolled) throw notEnrolled(supported, enrollable)
  const chosen = choose(usable, id, supported)
  const question = await openChallenge(chosen, subject, { showsNumber: false }, runtime)
  if (!question) return json({ challenge_type: 'otp' })
  const binding = question.prompt ? { binding_method: 'prompt' } : {}
  return json({ challenge_type: 'oob', oob_code: question.oobCode, ...binding })
}

type ChallengeType = 'otp' | 'oob'

/** The requested types that the client has the grant for. */
function supportedTypes(sent: string | undefined, { grantTypes }: Client, { vendorHost }: Runtime): ChallengeType[] {
  const requested = sent?.split(/\s+/)
  const all: ChallengeType[] = ['otp', 'oob']
  return all.filter(
    (type) => (requested?.includes(type) ?? true) && grantTypes.has(vendorGrant(vendorHost, `mfa-${type}`)),
  )
}

function choose(usable: readonly Authenticator[], id: string | undefined, types: ChallengeType[]): Authenticator {
  const askable = usable.filter((each) => !isFallback(each))
  const named = id === undefined ? askable : askable.filter((each) => each.id === id)
  if (id !== undefined && named.length === 0) throw malformedParameter('authenticator_id', 'Unknown authenticator_id')
  const [first] = named.filter(({ type }) => types.some((each) => each === type)).toSorted(byRank)
  if (first) return first
  throw unsupported('None of the challenge types is one that the user enrolled with.')
}

/** The error suggests enrolment only if a factor can be enrolled that this client could then challenge. */
function notEnrolled(types: ChallengeType[], enrollable: readonly FactorName[]): DomainError {
  const helps = enrollable.some((name) => types.some((type) => type === factorNamed(name).names.authenticatorType))
  if (!helps) return unsupported('User is not enrolled, and with none of the challenge types could be.')
  return new DomainError(
    'association_required',
    'User is not enrolled. You can use /mfa/associate endpoint to enroll the first authenticator.',
  )
}

const unsupported = (description: string): DomainError => new DomainError('unsupported_challenge_type', description)
