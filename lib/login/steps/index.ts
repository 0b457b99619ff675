// What must hold before a login finishes, in order: the first unmet step decides the screen and, with prompt=none, the error (OIDC Core
// 3.1.2.1, 3.1.2.6). Pure; nothing else decides the next screen. A new step is one file and one line here.
import type { DomainError } from '../../kernel/errors'
import type { LoginScreen } from '../../pages/screens'
import type { FormAction } from '../forms/action'
import type { LoginState } from '../login-state'
import { acrAttainable } from './acr-attainable'
import { changeConfirmed, consented } from './consent'
import { invitationValid } from './invitation-valid'
import { linkingDecided } from './link-account'
import { member } from './member'
import { mfaPassed } from './mfa-challenge'
import { mfaEnrolled } from './mfa-enroll'
import { recoveryCodeSaved } from './mfa-recovery-code'
import { organizationKnown } from './organization-known'
import { organizationAvailable, organizationChosen } from './organization-picker'
import { organizationNamed } from './organization-selection'
import { passkeyOffered } from './passkey-enroll'
import { accountSelected } from './select-account'
import { authenticated, recentlyAuthenticated } from './sign-in'
import { errorOf, type LoginPage, type LoginStep } from './step'

const STEPS: readonly LoginStep[] = [
  acrAttainable,
  organizationKnown,
  invitationValid,
  organizationNamed,
  accountSelected,
  authenticated,
  recentlyAuthenticated,
  mfaEnrolled,
  mfaPassed,
  recoveryCodeSaved,
  passkeyOffered,
  linkingDecided,
  organizationAvailable,
  organizationChosen,
  member,
  consented,
  changeConfirmed,
]

const PAGES: ReadonlyMap<LoginScreen, LoginPage> = new Map(
  STEPS.flatMap(({ pages = [] }) => pages.map((page) => [page.screen, page])),
)

/** The first step whose requirement does not hold; null if the login can finish. */
export const nextRequirement = (state: LoginState): LoginStep | null => STEPS.find((step) => step.unmet(state)) ?? null

/** Why the login is refused, because no page can meet the next requirement; null if it is not refused. */
export function finalRefusal(state: LoginState): DomainError | null {
  const missing = nextRequirement(state)
  return missing && !missing.pages ? errorOf(missing, state) : null
}

/** The screens that may be shown now, the default first; empty if nothing is missing or no page can supply it. `screen_hint` selects among them. */
export function dueScreens(state: LoginState): readonly LoginScreen[] {
  const missing = nextRequirement(state)
  if (!missing?.pages) return []
  const screens = missing.screens?.(state) ?? missing.pages.map(({ screen }) => screen)
  const hinted = screens.find((screen) => screen === state.wants.screenHint)
  return hinted ? [hinted, ...screens.filter((screen) => screen !== hinted)] : screens
}

export function pageFor(screen: LoginScreen): LoginPage {
  const page = PAGES.get(screen)
  if (page) return page
  throw new Error(`no step has the page ${screen}`)
}

/** The action with this name and the first of these screens on whose page it is. */
export function actionFor(
  name: string | undefined,
  screens: readonly LoginScreen[],
): { action: FormAction; screen: LoginScreen } | undefined {
  for (const screen of screens) {
    const action = pageFor(screen).actions.find((known) => known.name === name)
    if (action) return { action, screen }
  }
  return undefined
}
