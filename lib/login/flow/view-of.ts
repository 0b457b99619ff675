// The data of the due screen: what all pages of a login share, and the view of its page.
import { spokenName } from '../../data/organizations/organization'
import type { LoginScreen, ScreenView } from '../../pages/screens'
import { NOTICE_CODES } from '../../pages/view'
import { pageFor } from '../steps/index'
import type { StepPageDeps } from '../steps/step'
import { captchaView } from './captcha'
import type { OpenTransaction } from './open'
import { clientView } from './person-views'
import { FRESH, screenUrl } from './screen-urls'

const SUBMIT_PATH = '/u/submit'

export function viewOf(
  { handle, state, transaction, fresh }: OpenTransaction & { fresh: boolean },
  screen: LoginScreen,
  notice: string | undefined,
  deps: StepPageDeps,
): ScreenView {
  const known = NOTICE_CODES.find((code) => code === notice)
  return pageFor(screen).view({
    state,
    transaction,
    shared: {
      action: fresh ? `${SUBMIT_PATH}?${FRESH}` : SUBMIT_PATH,
      state: handle,
      client: clientView(state.client),
      ...(known === undefined ? {} : { notice: known }),
    },
    forOrganization: {
      ...(state.organization ? { organization: spokenName(state.organization) } : {}),
      ...(state.invitation ? { inviter: state.invitation.inviter } : {}),
    },
    captchaOf(use) {
      const captcha = captchaView(use, state, transaction.handleDigest, deps)
      return captcha === null ? {} : { captcha }
    },
    urlOf: (other) => screenUrl(other, handle),
    deps,
  })
}
