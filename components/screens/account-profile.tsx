import type { PasskeySignal, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { CodeField } from '../code-field'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PasskeySignals } from '../passkey-signals'
import { PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'

/**
 * Posts: picture, action=picture, as a form with a file; action=remove-picture; name, given_name, family_name, nickname, action=save; locale, action=language; email, action=email; phone, action=phone;
 * or waiting, code, action=confirm.
 */
type ProfileView = PortalView & {
  signals: PasskeySignal[]
  /** Null if the provider sets the names at each login. */
  names: { name: string; given_name: string; family_name: string; nickname: string } | null
  /** Null if the provider sets the picture at each login. */
  pictureChange: 'add' | 'replace' | null
  email?: string
  emailVerified: boolean
  phone?: string
  /** False where a provider sets the addresses. */
  canChange: boolean
  /** A new address that a code was sent to. */
  waiting?: { address: string; sealed: string }
  language: string | null
  /** The languages of this tenant, each under its own name. */
  languages: { locale: string; name: string }[]
}

type Action = 'picture' | 'remove-picture' | 'save' | 'language' | 'email' | 'phone' | 'confirm'

const PICTURE: Action = 'picture'
const REMOVE_PICTURE: Action = 'remove-picture'
const SAVE: Action = 'save'
const LANGUAGE: Action = 'language'
const EMAIL: Action = 'email'
const PHONE: Action = 'phone'
const CONFIRM: Action = 'confirm'
const FIELDS = [
  ['name', 'name'],
  ['given_name', 'given-name'],
  ['family_name', 'family-name'],
  ['nickname', 'nickname'],
] as const

function ProfileScreen({ view, t }: { view: ProfileView; t: Translate }) {
  const { names, email, phone, languages, language, canChange, waiting } = view
  return (
    <PortalPage page="profile" view={view} t={t}>
      {view.pictureChange && <PictureForms change={view.pictureChange} view={view} t={t} />}
      {names ? (
        <PortalForm page="profile" view={view}>
          <div className="portal-fields">
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
          </div>
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
      {!canChange && names !== null && <p className="aside">{t('portal.profile.addresses_followed')}</p>}
      {waiting && (
        <PortalForm page="profile" view={view} fields={{ waiting: waiting.sealed }}>
          <p className="aside">{t('portal.profile.confirm', { address: waiting.address })}</p>
          <CodeField t={t} />
          <div className="form-actions">
            <SubmitButton value={CONFIRM}>{t('portal.profile.confirm_action')}</SubmitButton>
          </div>
        </PortalForm>
      )}
      {canChange && !waiting && email && !view.emailVerified && (
        <PortalForm page="profile" view={view} fields={{ email }}>
          <div className="form-actions">
            <SubmitButton value={EMAIL} look="secondary">
              {t('portal.profile.confirm_email')}
            </SubmitButton>
          </div>
        </PortalForm>
      )}
      {canChange && !waiting && (
        <PortalForm page="profile" view={view}>
          <TextField
            name="email"
            type="email"
            label={t('portal.profile.new_email')}
            autoComplete="email"
            inputMode="email"
            maxLength={320}
          />
          <div className="form-actions">
            <SubmitButton value={EMAIL} look="secondary">
              {t('mfa.send.code')}
            </SubmitButton>
          </div>
        </PortalForm>
      )}
      {canChange && !waiting && (
        <PortalForm page="profile" view={view}>
          <TextField
            name="phone"
            type="tel"
            label={t('portal.profile.new_phone')}
            autoComplete="tel"
            inputMode="tel"
            maxLength={60}
          />
          <div className="form-actions">
            <SubmitButton value={PHONE} look="secondary">
              {t('mfa.send.code')}
            </SubmitButton>
          </div>
        </PortalForm>
      )}
      <PortalForm page="profile" view={view}>
        <div className="field">
          <label className="field-label" htmlFor="locale">
            {t('portal.profile.language')}
          </label>
          <div className="field-frame">
            <select className="field-input" id="locale" name="locale" required defaultValue={language ?? ''}>
              {language === null && <option value="">{t('portal.profile.language_choose')}</option>}
              {languages.map(({ locale, name }) => (
                <option key={locale} value={locale} lang={locale}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </div>
        <div className="form-actions">
          <SubmitButton value={LANGUAGE} look="secondary">
            {t('portal.profile.set_language')}
          </SubmitButton>
        </div>
      </PortalForm>
      <PasskeySignals signals={view.signals} />
    </PortalPage>
  )
}

/** comfort.js makes a picture small before it is sent. Without JavaScript the limits of lib/identity/pictures/picture-file.ts apply to the file. */
function PictureForms({ change, view, t }: { change: 'add' | 'replace'; view: ProfileView; t: Translate }) {
  return (
    <>
      <PortalForm page="profile" view={view} sendsFile>
        <div className="field">
          <label className="field-label" htmlFor="picture">
            {t('portal.profile.picture')}
          </label>
          <input
            className="field-file"
            id="picture"
            name="picture"
            type="file"
            accept="image/jpeg,image/png,image/webp"
            aria-describedby="picture-hint"
            data-picture="512"
            required
          />
          <p id="picture-hint" className="field-help">
            {t('portal.profile.picture_hint')}
          </p>
        </div>
        <div className="form-actions">
          <SubmitButton value={PICTURE} look="secondary">
            {t('portal.profile.set_picture')}
          </SubmitButton>
        </div>
      </PortalForm>
      {change === 'replace' && (
        <PortalForm page="profile" view={view}>
          <div className="form-actions">
            <SubmitButton value={REMOVE_PICTURE} look="secondary">
              {t('portal.profile.remove_picture')}
            </SubmitButton>
          </div>
        </PortalForm>
      )}
    </>
  )
}

const SAMPLE: ProfileView = {
  ...SAMPLE_PORTAL,
  signals: [{ rpId: 'id.example', handle: 'h', ids: ['c'], name: 'ada@example.com', displayName: 'Ada Lovelace' }],
  names: { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', nickname: '' },
  pictureChange: 'add',
  email: 'ada@example.com',
  emailVerified: true,
  phone: '+491711234567',
  canChange: true,
  language: 'en',
  languages: [
    { locale: 'en', name: 'English' },
    { locale: 'ar', name: 'العربية' },
  ],
}

export const screen = defineScreen<ProfileView>({
  title: (_view, t) => t('portal.profile.title'),
  component: ProfileScreen,
  passkeys: ({ signals }) => signals.length > 0,
  samples: [
    SAMPLE,
    { ...SAMPLE, pictureChange: 'replace', notice: 'portal_saved' },
    { ...SAMPLE, emailVerified: false },
    { ...SAMPLE, notice: 'picture_type' },
    { ...SAMPLE, notice: 'picture_size' },
    {
      ...SAMPLE,
      names: null,
      pictureChange: null,
      signals: [],
      emailVerified: false,
      language: null,
      canChange: false,
      notice: 'invalid_name',
    },
    { ...SAMPLE, waiting: { address: 'ada@new.example.com', sealed: 's' }, notice: 'code_sent' },
  ],
})
