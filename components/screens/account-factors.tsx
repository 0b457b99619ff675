import type { FactorOccasionView, OwnFactorView, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, ItemAction, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'

/** Posts: factor, action=remove; action=ask; or action=add, which leads to the page that adds a factor. */
type FactorsView = PortalView & {
  factors: OwnFactorView[]
  /** When a factor that the user has, or adds here, is asked for. */
  occasion: FactorOccasionView
  /** Whether the user can have them asked for at each login. */
  offersAsking: boolean
  /** Whether the user can add one, and else why not. */
  adding: 'yes' | 'off' | 'unverified'
}

type Action = 'add' | 'ask' | 'remove'

const ADD: Action = 'add'
const ASK: Action = 'ask'
const REMOVE: Action = 'remove'
const PAGE = 'factors'

function FactorsScreen({ view, t }: { view: FactorsView; t: Translate }) {
  const { factors, adding, occasion, offersAsking } = view
  return (
    <PortalPage page={PAGE} view={view} lead={t('portal.factors.lead')} t={t}>
      {adding === 'off' && <p className="aside">{t('portal.factors.off')}</p>}
      {adding !== 'off' && !offersAsking && (
        <div className="aside">
          {factors.length === 0 && <p>{t('portal.factors.none')}</p>}
          <p>{t(`enroll.occasion.${occasion}`)}</p>
        </div>
      )}
      {adding === 'unverified' && <p className="aside">{t('portal.unverified')}</p>}
      {adding !== 'off' && offersAsking && (
        <PortalForm page={PAGE} view={view}>
          <p className="aside">{t('portal.factors.offer')}</p>
          <SubmitButton value={ASK}>{t('portal.factors.ask')}</SubmitButton>
        </PortalForm>
      )}
      <ul className="portal-list">
        {factors.map(({ id, kind, name, isFixed, isOff }) => (
          <Item
            key={id}
            title={t(`mfa.factor.${kind}`)}
            details={[
              name !== undefined && (
                <bdi key="name" dir="ltr">
                  {name}
                </bdi>
              ),
              isFixed && t('portal.factors.fixed'),
              isOff && adding !== 'off' && t('portal.factors.off_kind'),
            ]}
          >
            {!isFixed && (
              <ItemAction
                page={PAGE}
                view={view}
                fields={{ factor: id }}
                action={REMOVE}
                label={t('portal.remove')}
                about={[t(`mfa.factor.${kind}`), name].filter(Boolean).join(' ')}
              />
            )}
          </Item>
        ))}
      </ul>
      {adding === 'yes' && (
        <PortalForm page={PAGE} view={view}>
          <SubmitButton value={ADD} look={offersAsking ? 'secondary' : 'primary'}>
            {t('portal.factors.add')}
          </SubmitButton>
        </PortalForm>
      )}
    </PortalPage>
  )
}

const SAMPLE: FactorsView = {
  ...SAMPLE_PORTAL,
  factors: [
    { id: 'totp|1', kind: 'otp' },
    { id: 'sms|1', kind: 'sms', name: 'XXXXXXXX4567' },
    { id: 'email|1', kind: 'email', name: 'a**@exa******', isFixed: true },
    { id: 'recovery-code|1', kind: 'recovery-code' },
  ],
  occasion: 'each',
  offersAsking: false,
  adding: 'yes',
}

export const screen = defineScreen<FactorsView>({
  title: (_view, t) => t('portal.factors.title'),
  component: FactorsScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, factors: [] },
    { ...SAMPLE, occasion: 'risky', notice: 'portal_removed' },
    { ...SAMPLE, occasion: 'never', offersAsking: true },
    { ...SAMPLE, factors: [], occasion: 'never', adding: 'unverified' },
    { ...SAMPLE, factors: [{ id: 'totp|1', kind: 'otp', isOff: true }], occasion: 'never', adding: 'off' },
  ],
})
