// Passkeys. The page itself needs a recent authentication, because its answer to the browser's dialog could not be repeated.

import { PORTAL_PATH } from '../../data/clients/portal'
import { isAddressProven } from '../../data/users/first-proof'
import { MAX_PASSKEYS, type Passkey } from '../../data/users/passkey'
import {
  accountForPasskey,
  beginPasskey,
  databasesWithPasskeys,
  finishPasskey,
  listPasskeys,
  ourPage,
  passkeyName,
  removePasskey,
} from '../../identity/passkeys/passkeys'
import { passkeySignals } from '../../identity/passkeys/signals'
import { ceremonyView, parsed } from '../../login/flow/passkey'
import type { ViewOf } from '../../pages/screens'
import { definePage, type PortalCall } from './page'

export const passkeys = definePage('passkeys', {
  fresh: true,
  isOffered: async ({ runtime }) => (await databasesWithPasskeys(runtime)).length > 0,
  async view(call) {
    const own = await listPasskeys(call.user, call.runtime)
    return {
      passkeys: own.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        ...(name === null ? {} : { name }),
        addedAt: createdAt.toISOString(),
        ...(lastUsedAt === null ? {} : { usedAt: lastUsedAt.toISOString() }),
      })),
      signals: passkeySignals(call.user, own, call.runtime, removedIn(call)),
      ...(await addingOf(call, own)),
    }
  },
  actions: {
    add: {
      fresh: true,
      async run({ user, session, input, request, runtime }) {
        const answer = {
          session: input.passkey_session ?? '',
          response: parsed(input.passkey_response),
          userAgent: request.headers['user-agent'],
        }
        const added = await finishPasskey(user, answer, runtime, ourPage(runtime, session.sid))
        if (added.outcome === 'added') return { notice: 'portal_saved' }
        return { notice: added.reason === 'model' ? 'passkey_model' : 'passkey_not_added' }
      },
    },
    rename: {
      fresh: true,
      async run({ user, input, runtime }) {
        const name = passkeyName(input.name ?? '')
        if (name === null) return { notice: 'passkey_name' }
        if (!(await runtime.passkeys.rename(user.id, input.passkey ?? '', name))) return { notice: 'portal_gone' }
        runtime.trail.record('changed', { user, change: 'passkey renamed' })
        return { notice: 'portal_saved' }
      },
    },
    remove: {
      fresh: true,
      async run({ user, input, runtime }) {
        const removed = await removePasskey(user, input.passkey ?? '', runtime)
        if (!removed) return { notice: 'portal_gone' }
        const handle = Buffer.from(removed.userHandle).toString('base64url')
        const sealed = runtime.vault.sealText(REMOVED, JSON.stringify([user.id, handle]), runtime.random)
        const query = new URLSearchParams({ notice: 'portal_removed', removed: sealed })
        return { to: `${PORTAL_PATH}/passkeys?${query}` }
      },
    },
  },
})

const REMOVED = 'portal-removed-passkey'

/** The handle of the passkey that this user has removed, so that the removal of the last one is signalled too. */
function removedIn({ user, input, runtime }: PortalCall): string[] {
  const opened = runtime.vault.openText(REMOVED, input.removed ?? '')
  const [owner, handle] = opened ? (JSON.parse(opened) as [string, string]) : []
  return handle !== undefined && owner === user.id ? [handle] : []
}

type Adding = Pick<ViewOf<'account-passkeys'>, 'adding' | 'hindrance'>

async function addingOf(call: PortalCall, own: readonly Passkey[]): Promise<Adding> {
  const { user, session, runtime } = call
  const account = await accountForPasskey(user, runtime)
  if (!account) {
    const isOff = (await databasesWithPasskeys(runtime)).length === 0
    return { adding: null, hindrance: isOff ? 'off' : 'elsewhere' }
  }
  if (!(await isAddressProven(user, runtime))) return { adding: null, hindrance: 'unverified' }
  if (own.length >= MAX_PASSKEYS) return { adding: null, hindrance: 'full' }
  const { session: ceremony, options } = await beginPasskey(user, account, runtime, ourPage(runtime, session.sid))
  return { adding: ceremonyView(ceremony, options) }
}
