// Names and language.
import { isUpstream } from '../../connections/connection'
import { LOCALES, type Locale, pickLocale } from '../../texts/locale'
import { subjectOf } from '../../users/profile'
import { definePage, type PortalCall } from './page'

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
      names: (await isFollowed(call)) ? null : filled,
      ...(email === null ? {} : { email }),
      emailVerified: user.emailVerified,
      ...(phoneNumber === null ? {} : { phone: phoneNumber }),
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
        await management.managedUsers.change(user.id, { fields }, runtime.clock.now(), async () => {})
        runtime.trail.record('changed', { user, change: 'profile' })
        return { notice: 'portal_saved' }
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
