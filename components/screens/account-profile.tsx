import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'

/** Posts: name, given_name, family_name, nickname, action=save; or locale, action=language. */
type ProfileView = PortalView & {
  /** Null if the provider sets the names at each login. */
  names: { name: string; given_name: string; family_name: string; nickname: string } | null
  email?: string
  emailVerified: boolean
  phone?: string
  language: string | null
  /** The languages of this tenant, each under its own name. */
  languages: { locale: string; name: string }[]
}

type Action = 'save' | 'language'

const SAVE: Action = 'save'
const LANGUAGE: Action = 'language'
const FIELDS = [
  ['name', 'name'],
  ['given_name', 'given-name'],
  ['family_name', 'family-name'],
  ['nickname', 'nickname'],
] as const

function ProfileScreen({ view, t }: { view: ProfileView; t: Translate }) {
  const { names, email, phone, languages, language } = view
  return (
    <PortalPage page="profile" view={view} t={t}>
      {names ? (
        <PortalForm page="profile" view={view}>
          {FIELDS.map(([name, autoComplete]) => (
            <TextField
              key={name}
              name={name}
              label={t(`portal.profile.${name}`)}
              autoComplete={autoComplete}
              autoCapitalize="words"
              maxLength={150}
              required={false}
              defaultValue={names[name]}
            />
          ))}
          <div className="form-actions">
            <SubmitButton value={SAVE}>{t('portal.save')}</SubmitButton>
          </div>
        </PortalForm>
      ) : (
        <p className="aside">{t('portal.profile.followed')}</p>
      )}
      {(email || phone) && (
        <dl className="portal-terms">
          {email && <dt>{t('portal.profile.email')}</dt>}
          {email && (
            <dd>
              <bdi>{email}</bdi> ({t(view.emailVerified ? 'portal.profile.verified' : 'portal.profile.unverified')})
            </dd>
          )}
          {phone && <dt>{t('portal.profile.phone')}</dt>}
          {phone && (
            <dd>
              <bdi dir="ltr">{phone}</bdi>
            </dd>
          )}
        </dl>
      )}
      <PortalForm page="profile" view={view}>
        <fieldset className="portal-choices">
          <legend className="field-label">{t('portal.profile.language')}</legend>
          {languages.map((each) => (
            <label key={each.locale} className="check">
              <input
                className="check-box"
                type="radio"
                name="locale"
                value={each.locale}
                defaultChecked={each.locale === language}
                required
              />
              <bdi lang={each.locale}>{each.name}</bdi>
            </label>
          ))}
        </fieldset>
        <div className="form-actions">
          <SubmitButton value={LANGUAGE} look="secondary">
            {t('portal.profile.set_language')}
          </SubmitButton>
        </div>
      </PortalForm>
    </PortalPage>
  )
}

const SAMPLE: ProfileView = {
  ...SAMPLE_PORTAL,
  names: { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', nickname: '' },
  email: 'ada@example.com',
  emailVerified: true,
  phone: '+491711234567',
  language: 'en',
  languages: [
    { locale: 'en', name: 'English' },
    { locale: 'ar', name: 'العربية' },
  ],
}

export const screen = defineScreen<ProfileView>({
  title: (_view, t) => t('portal.profile.title'),
  component: ProfileScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, notice: 'portal_saved' },
    { ...SAMPLE, names: null, emailVerified: false, language: null, notice: 'invalid_name' },
  ],
})
