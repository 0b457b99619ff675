// Names, language, and the addresses: a new one counts once the code that was sent to it is typed.

import { PORTAL_PATH } from '../../data/clients/portal'
import { isUpstream } from '../../data/connections/connection'
import { checkAddressProven } from '../../data/users/first-proof'
import { PICTURE_PATH } from '../../data/users/picture'
import { subjectOf } from '../../data/users/profile'
import type { User } from '../../data/users/user'
import {
  type ContactKind,
  confirmNewAddress,
  type NewAddress,
  ownAccount,
  requestNewAddress,
} from '../../identity/contact/new-address'
import { listPasskeys } from '../../identity/passkeys/passkeys'
import { passkeySignals } from '../../identity/passkeys/signals'
import { cleanPicture, type PictureRefusal } from '../../identity/pictures/picture-file'
import { nameOf, pictureFile } from '../../identity/pictures/user-pictures'
import { localeOf } from '../../pages/respond'
import type { NoticeCode } from '../../pages/view'
import { LOCALES, type Locale, pickLocale } from '../../text/locale'
import { definePage, type PortalCall, type PortalOutcome } from './page'
import { makerIn } from './step'

const NAMES = { name: 'name', given_name: 'givenName', family_name: 'familyName', nickname: 'nickname' } as const
const MAX_NAME = 150

export const profile = definePage('profile', {
  async view(call) {
    const { user, runtime } = call
    const { name, givenName, familyName, nickname, email, phoneNumber } = user
    const filled = {
      name: name ?? '',
      given_name: givenName ?? '',
      family_name: familyName ?? '',
      nickname: nickname ?? '',
    }
    return {
      signals: passkeySignals(user, await listPasskeys(user, runtime), runtime),
      ...((await isFollowed(call))
        ? { names: null, pictureChange: null }
        : { names: filled, pictureChange: changeOf(user) }),
      ...(email === null ? {} : { email }),
      emailVerified: user.emailVerified,
      ...(phoneNumber === null ? {} : { phone: phoneNumber }),
      canChange: (await ownAccount(user, runtime)) !== null,
      ...waitingIn(call),
      language: LOCALES.find((locale) => locale === user.profile.locale) ?? null,
      languages: enabledLocales(runtime.settings.tenant.enabled_locales).map((locale) => ({
        locale,
        name: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
      })),
    }
  },
  actions: {
    save: {
      async run(call) {
        const { user, input, runtime, management } = call
        if (await isFollowed(call)) return { notice: 'portal_gone' }
        const fields: Record<string, string | null> = {}
        for (const [field, column] of Object.entries(NAMES)) {
          const typed = (input[field] ?? '').trim()
          if (typed.length > MAX_NAME || !isPlain(typed)) return { notice: 'invalid_name' }
          fields[column] = typed === '' ? null : typed
        }
        await management.managedUsers.change(user.id, { fields, byOwner: {} }, runtime.clock.now(), async () => {})
        runtime.trail.record('changed', { user, change: 'profile' })
        return { notice: 'portal_saved' }
      },
    },
    picture: {
      async run(call) {
        const { user, file, runtime } = call
        await checkAddressProven(user, runtime)
        if (await isFollowed(call)) return { notice: 'portal_gone' }
        if (!file || file.length === 0) return { notice: 'picture_missing' }
        const cleaned = await cleanPicture(file)
        if (typeof cleaned === 'string') return { notice: REFUSED_PICTURES[cleaned] }
        const picture = { ...cleaned, name: nameOf(user.id, cleaned, runtime.vault) }
        const url = `${runtime.canonicalUrl}${PICTURE_PATH}/${pictureFile(picture)}`
        if (!(await runtime.userPictures.put(user.id, picture, url, runtime.clock.now())))
          return { notice: 'portal_gone' }
        runtime.trail.record('changed', { user, change: 'picture' })
        return { notice: 'portal_saved' }
      },
    },
    'remove-picture': {
      async run(call) {
        const { user, runtime } = call
        if (await isFollowed(call)) return { notice: 'portal_gone' }
        if (!(await runtime.userPictures.remove(user.id, runtime.clock.now()))) return { notice: 'portal_gone' }
        runtime.trail.record('changed', { user, change: 'picture removed' })
        return { notice: 'portal_removed' }
      },
    },
    email: { fresh: true, run: (call) => request(call, 'email') },
    phone: { fresh: true, run: (call) => request(call, 'phone') },
    confirm: {
      async run(call) {
        const { user, input, runtime } = call
        const waiting = readWaiting(call)
        if (!waiting) return { notice: 'portal_gone' }
        const outcome = await confirmNewAddress(user, waiting, input.code ?? '', contextOf(call), runtime)
        if (outcome === 'done') return { notice: 'portal_saved' }
        if (outcome === 'taken') return { notice: 'user_exists' }
        if (outcome === 'gone') return { notice: 'portal_gone' }
        return back(outcome === 'wrong' ? 'wrong_code' : 'too_many_codes', waiting, call)
      },
    },
    language: {
      async run({ user, input, runtime }) {
        const locale = enabledLocales(runtime.settings.tenant.enabled_locales).find((each) => each === input.locale)
        if (!locale) return { notice: 'portal_gone' }
        await runtime.profiles.setLocale(user.id, locale, runtime.clock.now())
        runtime.trail.record('changed', { user, change: 'language' })
        return { notice: 'portal_saved' }
      },
    },
  },
})

const REFUSED_PICTURES = {
  type: 'picture_type',
  size: 'picture_size',
} as const satisfies Record<PictureRefusal, NoticeCode>

const changeOf = ({ picture }: User): 'add' | 'replace' => (picture === null ? 'add' : 'replace')

const REFUSALS = {
  gone: 'portal_gone',
  not_served: 'unserved_phone',
  too_many: 'too_many_messages',
} as const satisfies Record<string, NoticeCode>

async function request(call: PortalCall, kind: ContactKind): Promise<PortalOutcome> {
  const { user, input, runtime } = call
  const requested = await requestNewAddress(user, { kind, typed: input[kind] ?? '' }, contextOf(call), runtime)
  if (requested.outcome === 'sent') return back('code_sent', requested.waiting, call)
  if (requested.outcome === 'invalid') return { notice: kind === 'email' ? 'invalid_email' : 'invalid_phone' }
  return { notice: REFUSALS[requested.outcome] }
}

const contextOf = (call: PortalCall) => ({
  ip: call.request.ip,
  locale: localeOf(call.request, call.runtime.settings),
  by: makerIn(call),
})

/** The page with the field for the code; the address that the code was sent to is sealed in its query. */
const back = (notice: NoticeCode, waiting: NewAddress, { user, runtime }: PortalCall): PortalOutcome => {
  const sealed = runtime.vault.sealText(WAITING, JSON.stringify([user.id, waiting]), runtime.random)
  const query = new URLSearchParams({ notice, waiting: sealed })
  return { to: `${PORTAL_PATH}/profile?${query}` }
}

const WAITING = 'portal-new-address'

/** Null for what this server did not seal for this user. */
function readWaiting({ user, input, runtime }: PortalCall): NewAddress | null {
  const opened = runtime.vault.openText(WAITING, input.waiting ?? '')
  const [owner, waiting] = opened ? (JSON.parse(opened) as [string, NewAddress]) : []
  return waiting !== undefined && owner === user.id ? waiting : null
}

function waitingIn(call: PortalCall) {
  const waiting = readWaiting(call)
  return waiting ? { waiting: { address: waiting.address, sealed: call.input.waiting ?? '' } } : {}
}

/** Controls and changes of direction would let a name pass for other text. */
const isPlain = (text: string): boolean => !/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text)

const enabledLocales = (enabled: readonly string[] | undefined): Locale[] =>
  LOCALES.filter((locale) => pickLocale({ uiLocales: locale, acceptLanguage: undefined, enabled }) === locale)

/** Whether the provider of the account sets the names at each login. */
async function isFollowed({ user, runtime, management }: PortalCall): Promise<boolean> {
  const accounts = await management.managedUsers.accounts(user.id)
  const main = accounts.find((account) => subjectOf(account) === user.id)
  const connection = (await runtime.connections.all()).find(({ id }) => id === main?.connectionId)
  return isUpstream(connection) && connection.settings.options.set_user_root_attributes === 'on_each_login'
}
