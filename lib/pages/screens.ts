// Every hosted screen. A screen is a file in components/screens (its view, title, component and samples), a line here, and its
// words in every catalogue of lib/text/. From this list derive the types of views, the paths, the rows of the endpoint table, the
// pages of both adapters, and the tests of the renderer, of the fuzzer and of accessibility.
// - A component loads with its first use: who only needs names and paths loads none (import rule `lazy:components`).

import type { ScreenDefinition } from '../../components/define-screen'
import { lazy } from '../kernel/lazy'
import type { PageCommon } from './view'

/** The screens of a login, each at `/u/<name>`. lib/server/endpoints/hosted/screens.ts answers them. */
const LOGIN = {
  login: lazy(() => import('../../components/screens/login')),
  signup: lazy(() => import('../../components/screens/sign-up')),
  'account-locked': lazy(() => import('../../components/screens/account-locked')),
  'forgot-password': lazy(() => import('../../components/screens/forgot-password')),
  passwordless: lazy(() => import('../../components/screens/passwordless')),
  'passwordless-code': lazy(() => import('../../components/screens/passwordless-code')),
  'select-account': lazy(() => import('../../components/screens/select-account')),
  'passkey-enroll': lazy(() => import('../../components/screens/passkey-enroll')),
  'link-account': lazy(() => import('../../components/screens/link-account')),
  'mfa-enroll': lazy(() => import('../../components/screens/mfa-enroll')),
  'mfa-challenge': lazy(() => import('../../components/screens/mfa-challenge')),
  'mfa-recovery-code': lazy(() => import('../../components/screens/mfa-recovery-code')),
  'organization-selection': lazy(() => import('../../components/screens/organization-selection')),
  'organization-picker': lazy(() => import('../../components/screens/organization-picker')),
  consent: lazy(() => import('../../components/screens/consent')),
}

const SCREENS = {
  ...LOGIN,
  // Each of these is shown by endpoints of its own.
  'account-profile': lazy(() => import('../../components/screens/account-profile')),
  'account-password': lazy(() => import('../../components/screens/account-password')),
  'account-passkeys': lazy(() => import('../../components/screens/account-passkeys')),
  'account-factors': lazy(() => import('../../components/screens/account-factors')),
  'account-sessions': lazy(() => import('../../components/screens/account-sessions')),
  'account-connections': lazy(() => import('../../components/screens/account-connections')),
  'account-applications': lazy(() => import('../../components/screens/account-applications')),
  'account-organizations': lazy(() => import('../../components/screens/account-organizations')),
  'account-activity': lazy(() => import('../../components/screens/account-activity')),
  'account-data': lazy(() => import('../../components/screens/account-data')),
  activate: lazy(() => import('../../components/screens/activate')),
  'confirm-logout': lazy(() => import('../../components/screens/confirm-logout')),
  doctor: lazy(() => import('../../components/screens/doctor')),
  error: lazy(() => import('../../components/screens/error')),
  'logged-out': lazy(() => import('../../components/screens/logged-out')),
  'passwordless-link': lazy(() => import('../../components/screens/passwordless-link')),
  'push-device': lazy(() => import('../../components/screens/push-device')),
  'reset-password': lazy(() => import('../../components/screens/reset-password')),
  'restore-email': lazy(() => import('../../components/screens/restore-email')),
  'shared-login': lazy(() => import('../../components/screens/shared-login')),
  'shared-test': lazy(() => import('../../components/screens/shared-test')),
  unblock: lazy(() => import('../../components/screens/unblock')),
  'verify-email': lazy(() => import('../../components/screens/verify-email')),
}

export type LoginScreen = keyof typeof LOGIN
export type ScreenName = keyof typeof SCREENS

type DefinitionOf<Name extends ScreenName> = Awaited<ReturnType<(typeof SCREENS)[Name]>>['screen']

/** The data of the screen with that name; of several names, of any of them. */
export type ViewOf<Name extends ScreenName> = {
  [Each in Name]: { screen: Each } & DefinitionOf<Each>['samples'][number]
}[Name]
export type ScreenView = ViewOf<ScreenName>
export type PageView = PageCommon & ScreenView

const namesOf = <Name extends string>(list: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(list) as Name[]

export const LOGIN_SCREENS = namesOf(LOGIN)
export const SCREEN_NAMES = namesOf(SCREENS)

export const screenPath = (screen: LoginScreen): string => `/u/${screen}`

/** The definition that a view of this name belongs to. The compiler cannot relate the two, so the type is of any view. */
export const loadScreen = async (name: ScreenName): Promise<ScreenDefinition<ScreenView>> =>
  (await SCREENS[name]()).screen as ScreenDefinition<never> as ScreenDefinition<ScreenView>
