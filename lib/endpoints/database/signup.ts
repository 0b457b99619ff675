// POST /dbconnections/signup (the contract's "Signup"): creates a database user and returns it without any secret. Statuses and
// bodies of refusals are the vendor's. A taken address has its own error only if the tenant enables it, and is answered like a
// new one if the connection hides existing accounts.

import { type SignUpInput, type SignUpRefusal, signUp } from '../../accounts/sign-up'
import { defineEndpoint } from '../../http/endpoint'
import { bodyMembers, type HttpRequest, type HttpResponse, json, textMember } from '../../http/message'
import { databaseJson } from '../../http/render-errors'
import { DomainError, invalidRequest } from '../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'
import { passwordError } from '../../users/new-password'
import { canonical, type User } from '../../users/user'
import { contextOf, databaseNamed, required } from './database-request'

export const signup = defineEndpoint<Runtime>({
  name: 'dbconnections.signup',
  limit: 'signup',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: databaseJson,
  methods: { POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const members = bodyMembers(request)
  const clientId = required(textMember(members, 'client_id'), 'client_id')
  const name = required(textMember(members, 'connection'), 'connection')
  const input = readInput(members)
  const connection = await databaseNamed(name, clientId, runtime)
  const result = await signUp(connection, input, contextOf(request, clientId, runtime), runtime)
  const isHiding = connection.settings.options.hide_existing_accounts
  const isHidden = result.outcome === 'created' || result.reason === 'exists'
  if (isHiding && isHidden) return json(hiddenUser(input, runtime))
  if (result.outcome === 'refused') throw errorFor(result, runtime)
  return json(databaseUser(result.id, result.user))
}

const readInput = (members: Readonly<Record<string, unknown>>): SignUpInput => ({
  email: required(textMember(members, 'email'), 'email'),
  password: required(textMember(members, 'password'), 'password'),
  username: textMember(members, 'username'),
  name: textMember(members, 'name'),
  given_name: textMember(members, 'given_name'),
  family_name: textMember(members, 'family_name'),
  nickname: textMember(members, 'nickname'),
  picture: textMember(members, 'picture'),
  user_metadata: members.user_metadata,
})

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
const hiddenUser = ({ email }: SignUpInput, { random }: Runtime) => ({
  _id: random.hex(24),
  email_verified: false,
  email: canonical(email),
})

function errorFor(refused: SignUpRefusal, { settings }: Runtime): DomainError {
  switch (refused.reason) {
    case 'invalid':
      return invalidRequest(refused.problem)
    case 'password':
      return passwordError(refused.refusal)
    case 'disabled':
      return new DomainError('public_signup_disabled', 'Public signup is disabled')
    case 'denied':
      return new DomainError('extensibility_error', refused.denied.reason, {
        members: { friendly_message: refused.denied.userMessage ?? 'Sign up was refused' },
      })
    case 'username_taken':
      return new DomainError('username_exists', 'The username is already taken.')
    case 'too_many':
      return new DomainError('too_many_requests', 'Too many sign-ups from this address. Try again later.', {
        retryAfter: 60,
      })
    case 'exists':
      return settings.tenant.flags.enable_public_signup_user_exists_error
        ? new DomainError('user_exists', 'The user already exists.')
        : new DomainError('invalid_signup', 'Invalid sign up')
  }
}
