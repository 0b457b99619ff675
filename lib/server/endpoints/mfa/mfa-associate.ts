// POST /mfa/associate (the contract's "Add authenticator"): starts the enrolment of a factor, which is active once it has
// answered.
// - An `mfa_token` allows only the first factor, or one that its login requires after another was proven (threat-model.md MF2);
//   an access token with `enroll` allows any.
// - `oob_channel` and `oob_channels` are both accepted as arrays: the contract has one, SDKs send the other.

import * as z from 'zod'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { PERSON } from '../../../http/examples'
import { type HttpRequest, type HttpResponse, json, jsonMembers, textMember } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { beginEnrollment, type Enrolment } from '../../../identity/mfa/enroll'
import { FACTORS, type FactorName, isForPages } from '../../../identity/mfa/factors/index'
import { accessDenied, invalidRequest, malformedParameter, missingParameter } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import { localeOf } from '../../../pages/respond'
import { credentialsIn } from '../../../protocols/oauth/client-authentication'
import { callerByAny, checkCaller } from '../../../protocols/oauth/mfa-caller'
import { credentials } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const mfaAssociate = defineEndpoint<Runtime>({
  name: 'mfa.associate',
  limit: 'mfa',
  shed: 'last',
  refused: 'change_refused',
  cors: 'open',
  errors: oauthJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Second factors',
    POST: {
      summary: 'Add a second factor',
      caller: ['mfa_token', 'access_token'],
      scopes: [SCOPE],
      body: z.object({
        ...credentials(),
        authenticator_types: z.array(z.string()).meta({ description: 'The types in order: `otp`, `oob`' }),
        oob_channels: channels(),
        oob_channel: channels(),
        phone_number: optional('For a text message or a call'),
        email: optional('For a mail'),
      }),
      encoding: 'json',
      answers: {
        200: {
          says: 'What confirms it',
          schema: z.object({
            authenticator_type: z.string(),
            oob_channel: z.string().optional(),
            secret: z.string().optional(),
            barcode_uri: z.string().optional(),
            oob_code: z.string().optional(),
            binding_method: z.string().optional(),
            recovery_codes: z.array(z.string()).optional(),
          }),
        },
      },
      examples: {
        app: { body: { authenticator_types: ['otp'] } },
        mail: { body: { authenticator_types: ['oob'], oob_channels: ['email'], email: PERSON.username } },
      },
    },
  }),
})

const SCOPE = 'enroll'

const channels = () =>
  z
    .array(z.string())
    .nullish()
    .meta({ description: 'For `oob`: `sms`, `voice`, `email`, `auth0`; both names are the same' })

type Members = Readonly<Record<string, unknown>>

async function handle(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const members = jsonMembers(request)
  const caller = await callerByAny(request, SCOPE, runtime)
  await count(caller.user.id)
  await checkCaller(caller, request, credentialsIn(members), runtime)
  if (!caller.vouched && caller.enrolments.enrolled)
    throw accessDenied('User is already enrolled.', { reason: 'already_enrolled' })
  const factor = requestedFactor(members, caller.enrolments.enrollable)
  const { user, login, typed, vouched, client } = caller
  const locale = localeOf(request, runtime.settings)
  const { clientId, name: clientName } = client
  const subject = { user, login, typed, clientId, clientName, ip: request.ip, locale }
  const input = { phoneNumber: textMember(members, 'phone_number'), email: textMember(members, 'email') }
  return json(answerOf(await beginEnrollment(subject, factor, input, { vouched }, runtime)))
}

/** The first requested factor that can be enrolled. */
function requestedFactor(members: Members, enrollable: readonly FactorName[]): FactorName {
  const types = listOf(members, 'authenticator_types')
  if (types.length === 0) throw missingParameter('authenticator_types')
  const channels = [...listOf(members, 'oob_channels'), ...listOf(members, 'oob_channel')]
  if (types.includes('oob') && !types.includes('otp') && channels.length === 0) throw missingParameter('oob_channels')
  const requested = types.flatMap((type) => [
    ...factorsBy(type, null),
    ...channels.flatMap((each) => factorsBy(type, each)),
  ])
  const factor = requested.find(({ id }) => enrollable.includes(id))
  if (factor) return factor.id
  throw invalidRequest('None of the authenticator types can be enrolled', { reason: 'factor_not_enabled' })
}

const factorsBy = (type: string, channel: string | null) =>
  FACTORS.filter(
    (factor) => factor.names.authenticatorType === type && factor.names.channel === channel && !isForPages(factor),
  )

function listOf(members: Members, name: string): string[] {
  const value = members[name] ?? []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw malformedParameter(name, `${name} must be an array of strings`)
}

function answerOf({ authenticator, secret, barcodeUri, challenge, recoveryCode }: Enrolment) {
  const { type, channel } = authenticator
  return {
    authenticator_type: type,
    ...(channel === null ? {} : { oob_channel: channel }),
    ...(secret === undefined ? {} : { secret }),
    ...(barcodeUri === undefined ? {} : { barcode_uri: barcodeUri }),
    ...(challenge === undefined ? {} : { oob_code: challenge.oobCode }),
    ...(challenge?.prompt ? { binding_method: 'prompt' } : {}),
    ...(recoveryCode === undefined ? {} : { recovery_codes: [recoveryCode] }),
  }
}
