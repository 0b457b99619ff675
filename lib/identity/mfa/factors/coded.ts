// Shared by the factors that send a code: six digits, valid for one challenge, stored as a keyed digest.
import { addSeconds } from '../../../kernel/clock'
import type { Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import { readCode } from '../../../kernel/typed'
import { CHALLENGE_SECONDS } from '../challenge'
import type { MfaDeps, MfaSubject } from '../deps'
import { withinFailureLimit } from '../failure-limit'
import type { Attempt, ChallengeSecrets, Judged } from './factor'

const CODE_DIGITS = 6

type Addressed = { to: string } & (
  | { channel: 'email' }
  | { channel: 'voice'; enrolls: boolean }
  | { channel: 'sms'; enrolls: boolean; sender: string | undefined; gateway: string | undefined }
)

export async function sendCode(
  addressed: Addressed,
  { ip, locale, user, clientId, connection, organization }: MfaSubject,
  deps: MfaDeps,
  code = newCode(deps.random),
): Promise<ChallengeSecrets> {
  const until = addSeconds(deps.clock.now(), CHALLENGE_SECONDS)
  const shared = { locale, until, code, user, clientId, connection, organization, ip }
  const { channel } = addressed
  const message = await deps.messenger.compose(
    channel === 'email'
      ? { ...shared, ...addressed, channel, confirms: 'factor' }
      : { ...shared, ...addressed, channel },
  )
  return { codeDigest: digestOfCode(code, deps.vault), message }
}

export const newCode = (random: Random): string => random.digits(CODE_DIGITS)

export async function proveByCode(
  { authenticators, challenge, answer, confirm }: Attempt,
  { user }: MfaSubject,
  deps: MfaDeps,
): Promise<Judged> {
  const [authenticator] = authenticators
  if (!challenge || !authenticator) return { outcome: 'gone' }
  if (!answer) return { outcome: 'code-missing' }
  const take = async () => {
    const used = await deps.challenges.takeCode(challenge, digestOfCode(answer, deps.vault), deps.clock.now())
    return used && (authenticator.active || (await confirm(authenticator, null))) ? {} : null
  }
  return withinFailureLimit(user.id, take, deps)
}

const digestOfCode = (typed: string, vault: Vault): Uint8Array => vault.mac('mfa-code', readCode(typed))
