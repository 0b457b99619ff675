// Stores a new login transaction, bound to the browser that started it.
import { addSeconds } from '../../kernel/clock'
import { digest, type Minted } from '../../kernel/secret'
import { bindBrowser } from '../browser'
import type { LoginDeps } from '../deps'
import type { LoginFacts } from '../flow/state'
import { newHandle } from '../handle'
import { type LoginTransaction, type Origin, TRANSACTION_SECONDS } from '../transaction'
import type { Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'

/** The stored transaction, its handle, and the cookie that binds it to the browser. */
export type NewTransaction = { handle: string; transaction: LoginTransaction; cookies: Cookie[] }

export async function beginTransaction(
  origin: Origin,
  { wants, user, evidence, decisions }: LoginFacts,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<NewTransaction> {
  const now = deps.clock.now()
  const handle = minted(visitor.handle ?? newHandle(wants.clientId, deps.random))
  const browser = bindBrowser(visitor, deps)
  const transaction: LoginTransaction = {
    handleDigest: handle.digest,
    origin,
    wants: Object.assign({}, wants, { login: deps.trail.login() }),
    browserDigest: browser.digest,
    userId: user?.id ?? null,
    evidence,
    decisions: {
      ...decisions,
      ...(wants.loginHint === null ? {} : { identifier: wants.loginHint }),
      ...(visitor.address === null ? {} : { startAddress: visitor.address }),
    },
    revision: 0,
    createdAt: now,
    expiresAt: addSeconds(now, TRANSACTION_SECONDS),
    consumedAt: null,
  }
  await deps.transactions.insert(transaction)
  return { handle: handle.plain, transaction, cookies: browser.cookies }
}

const minted = (plain: string): Minted => ({ plain, digest: digest(plain) })
