// POST /dbconnections/signup (the contract's "Signup"): creates a database user and returns it without any secret. Statuses and
// bodies of refusals are the vendor's. A taken address has its own error only if the tenant enables it, and is answered like a
// new one if the connection hides existing accounts.

import * as z from 'zod'
import { passwordError } from '../../../data/users/new-password'
import { canonical, type User } from '../../../data/users/user'
import { CAPTCHA, optional, readMembers, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, PERSON } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { databaseJson } from '../../../http/render-errors'
import { reasonOfSignUp, type SignUpRefusal, signUp } from '../../../identity/accounts/sign-up'
import { refuseBots } from '../../../identity/captcha/demand'
import { DomainError, invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { contextOf, databaseNamed } from '../../requests/database-request'
import type { Runtime } from '../../runtime/runtime'

export const signup = defineEndpoint<Runtime>({
  name: 'dbconnections.signup',
  limit: 'signup',
  shed: 'first',
  refused: 'sign_up_refused',
  cors: 'open',
  errors: databaseJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Database',
    POST: {
      summary: 'Sign a person up',
      body: signupBody(),
      answers: {
        200: {
          says: 'The account',
          schema: z.object({
            _id: z.string(),
            email_verified: z.boolean(),
            email: z.string(),
            username: z.string().optional(),
            given_name: z.string().optional(),
            family_name: z.string().optional(),
            name: z.string().optional(),
            nickname: z.string().optional(),
            picture: z.string().optional(),
          }),
        },
      },
      examples: {
        account: {
          body: { ...APP, connection: 'Users', email: 'new@example.com', password: PERSON.password, given_name: 'Neo' },
        },
      },
    },
  }),
})

const signupBody = once(() =>
  z.object({
    client_id: text('The client'),
    connection: text('The database connection'),
    email: text('The address'),
    password: text('The password'),
    username: optional('The user name, where the connection has them'),
    name: optional('The full name'),
    given_name: optional('The given name'),
    family_name: optional('The family name'),
    nickname: optional('The nickname'),
    picture: optional('The URL of a picture'),
    captcha: optional(CAPTCHA),
    user_metadata: z.record(z.string(), z.string()).nullish().meta({ description: 'At most ten texts' }),
  }),
)

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const {
    client_id: clientId,
    connection: name,
    captcha: answer,
    ...input
  } = readMembers(signupBody(), bodyMembers(request))
  const connection = await databaseNamed(name, clientId, runtime)
  await refuseBots('sign_up', { ip: request.ip, answer }, runtime)
  const result = await signUp(connection, input, contextOf(request, clientId, runtime), runtime)
  const isHiding = connection.settings.options.hide_existing_accounts
  const isHidden = result.outcome === 'created' || result.reason === 'exists'
  if (isHiding && isHidden) return json(hiddenUser(input, runtime))
  if (result.outcome === 'refused') throw errorFor(result, runtime)
  return json(databaseUser(result.id, result.user))
}

/** The contract's database user; members without a value are omitted. */
const databaseUser = (id: string, user: User) => ({
  _id: id,
  email_verified: user.emailVerified,
  email: user.email,
  username: user.username ?? undefined,
  given_name: user.givenName ?? undefined,
  family_name: user.familyName ?? undefined,
  name: user.name ?? undefined,
  nickname: user.nickname ?? undefined,
  picture: user.picture ?? undefined,
})

/** The same response for a new and for an existing account: the id is random. */
const hiddenUser = ({ email }: { email: string }, { random }: Runtime) => ({
  _id: random.hex(24),
  email_verified: false,
  email: canonical(email),
})

function errorFor(refused: SignUpRefusal, { settings }: Runtime): DomainError {
  const reason = reasonOfSignUp(refused)
  switch (refused.reason) {
    case 'invalid':
      return invalidRequest(refused.problem, { reason })
    case 'password':
      return passwordError(refused.refusal)
    case 'disabled':
      return new DomainError('public_signup_disabled', 'Public signup is disabled', { reason })
    case 'denied':
      return new DomainError('extensibility_error', refused.denied.reason, {
        reason,
        members: { friendly_message: refused.denied.userMessage ?? 'Sign up was refused' },
      })
    case 'passkey_taken':
      return invalidRequest('The passkey belongs to another account', { reason })
    case 'username_taken':
      return new DomainError('username_exists', 'The username is already taken.', { reason })
    case 'too_many':
      return new DomainError('too_many_requests', 'Too many sign-ups from this address. Try again later.', {
        reason,
        retryAfter: 60,
      })
    case 'exists':
      return settings.tenant.flags.enable_public_signup_user_exists_error
        ? new DomainError('user_exists', 'The user already exists.', { reason })
        : new DomainError('invalid_signup', 'Invalid sign up', { reason })
  }
}
