import type { PageCommon, PasskeySignal, PasskeyView, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PasskeyCeremony } from '../passkey-ceremony'
import { PasskeySignals } from '../passkey-signals'
import { Item, ItemAction, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { When } from '../when'

/** Posts: passkey, name, action=rename; passkey, action=remove; or passkey_session, passkey_response, action=add. */
type PasskeysView = PortalView & {
  signals: PasskeySignal[]
  passkeys: { id: string; name?: string; addedAt: string; usedAt?: string }[]
  /** Null if the user cannot add one here, because of the hindrance. */
  adding: PasskeyView | null
  hindrance?: 'off' | 'elsewhere' | 'unverified' | 'full'
}

type Action = 'add' | 'rename' | 'remove'

const ADD: Action = 'add'
const RENAME: Action = 'rename'
const REMOVE: Action = 'remove'
const PAGE = 'passkeys'

function PasskeysScreen({ view, t }: { view: PasskeysView & PageCommon; t: Translate }) {
  const { passkeys, adding, hindrance, locale } = view
  return (
    <PortalPage page={PAGE} view={view} lead={t('passkey.what')} t={t}>
      {passkeys.length === 0 && adding && <p className="aside">{t('portal.passkeys.none')}</p>}
      {hindrance && (
        <p className="aside">{t(hindrance === 'unverified' ? 'portal.unverified' : `portal.passkeys.${hindrance}`)}</p>
      )}
      <ul className="portal-list">
        {passkeys.map(({ id, name = t('portal.passkeys.unnamed'), addedAt, usedAt }) => (
          <Item
            key={id}
            title={name}
            details={[
              <span key="added">
                {t('portal.passkeys.added')} <When at={addedAt} locale={locale} />
              </span>,
              usedAt !== undefined && (
                <span key="used">
                  {t('portal.sessions.seen')} <When at={usedAt} locale={locale} />
                </span>
              ),
            ]}
          >
            <ItemAction
              page={PAGE}
              view={view}
              fields={{ passkey: id }}
              action={REMOVE}
              label={t('portal.remove')}
              about={name}
            />
            <details className="ways">
              <summary className="ways-title">
                {t('portal.rename')}
                <span className="sr-only">: {name}</span>
              </summary>
              <PortalForm page={PAGE} view={view} fields={{ passkey: id }}>
                <TextField
                  name="name"
                  id={`name-${id}`}
                  label={t('portal.passkeys.name')}
                  autoComplete="off"
                  autoCapitalize="sentences"
                  maxLength={100}
                  defaultValue={name}
                />
                <SubmitButton value={RENAME} look="secondary">
                  {t('portal.save')}
                  <span className="sr-only">: {name}</span>
                </SubmitButton>
              </PortalForm>
            </details>
          </Item>
        ))}
      </ul>
      {adding && (
        <PortalForm page={PAGE} view={view}>
          <PasskeyCeremony
            passkey={adding}
            does="create"
            action={ADD}
            label={t('passkey.create')}
            look="primary"
            t={t}
          />
        </PortalForm>
      )}
      <PasskeySignals signals={view.signals} />
    </PortalPage>
  )
}

const AT = '2027-01-15T08:00:00.000Z'
const SAMPLE: PasskeysView = {
  ...SAMPLE_PORTAL,
  signals: [{ rpId: 'id.example', handle: 'h', ids: ['c'], name: 'ada@example.com', displayName: 'Ada Lovelace' }],
  passkeys: [
    { id: 'passkey|1', name: 'iCloud Keychain', addedAt: AT, usedAt: AT },
    { id: 'passkey|2', addedAt: AT },
  ],
  adding: { session: 's', challenge: 'c', options: '{}' },
}

export const screen = defineScreen<PasskeysView>({
  title: (_view, t) => t('portal.passkeys.title'),
  component: PasskeysScreen,
  passkeys: ({ adding, signals }) => adding !== null || signals.length > 0,
  samples: [
    SAMPLE,
    { ...SAMPLE, passkeys: [], signals: [] },
    { ...SAMPLE, passkeys: [], adding: null, signals: [], hindrance: 'off' },
    { ...SAMPLE, passkeys: [], adding: null, signals: [], hindrance: 'elsewhere' },
    { ...SAMPLE, passkeys: [], adding: null, signals: [], hindrance: 'unverified' },
    { ...SAMPLE, adding: null, hindrance: 'full' },
    { ...SAMPLE, notice: 'passkey_not_added' },
    { ...SAMPLE, notice: 'passkey_name' },
  ],
})
