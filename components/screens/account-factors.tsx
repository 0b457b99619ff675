import type { OwnFactorView, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, ItemAction, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'

/** Posts: factor, action=remove; or action=add, which leads to the page that adds a factor. */
type FactorsView = PortalView & {
  factors: OwnFactorView[]
  /** Whether the tenant has a factor that can be added. */
  canAdd: boolean
}

type Action = 'add' | 'remove'

const ADD: Action = 'add'
const REMOVE: Action = 'remove'
const PAGE = 'factors'

function FactorsScreen({ view, t }: { view: FactorsView; t: Translate }) {
  const { factors, canAdd } = view
  return (
    <PortalPage page={PAGE} view={view} lead={t('portal.factors.lead')} t={t}>
      {factors.length === 0 && <p className="aside">{t('portal.factors.none')}</p>}
      <ul className="portal-list">
        {factors.map(({ id, kind, name, isFixed }) => (
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
      {canAdd && (
        <PortalForm page={PAGE} view={view}>
          <SubmitButton value={ADD}>{t('portal.factors.add')}</SubmitButton>
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
  canAdd: true,
}

export const screen = defineScreen<FactorsView>({
  title: (_view, t) => t('portal.factors.title'),
  component: FactorsScreen,
  samples: [SAMPLE, { ...SAMPLE, factors: [] }, { ...SAMPLE, canAdd: false, notice: 'portal_removed' }],
})
