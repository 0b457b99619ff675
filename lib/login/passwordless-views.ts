// What the screens of a login by code show.
import type { AddressKind, NoticeCode, PasswordlessCodeView, PasswordlessView } from '../pages/view'
import { waitBeforeResend } from './actions/passwordless'
import type { LoginState } from './requirements'

type Shared = Pick<PasswordlessView, 'action' | 'state' | 'client'> & { notice?: NoticeCode }
type Urls = { loginUrl: string; addressUrl: string }

export function passwordlessView(state: LoginState, shared: Shared, urls: Urls): PasswordlessView {
  const { identifier } = state.decisions
  return {
    ...shared,
    screen: 'passwordless',
    kind: kindOf(state),
    ...(identifier === undefined ? {} : { address: identifier }),
    ...otherWay(state, urls),
    cancel: true,
  }
}

export const passwordlessCodeView = (state: LoginState, shared: Shared, urls: Urls): PasswordlessCodeView => ({
  ...shared,
  screen: 'passwordless-code',
  address: state.decisions.code?.address ?? '',
  waitSeconds: waitBeforeResend(state),
  addressUrl: urls.addressUrl,
  ...otherWay(state, urls),
  cancel: true,
})

const otherWay = ({ database }: LoginState, { loginUrl }: Urls) => (database === null ? {} : { loginUrl })

function kindOf({ passwordless }: LoginState): AddressKind {
  const has = (strategy: 'email' | 'sms') => passwordless.some((connection) => connection.strategy === strategy)
  if (has('email') && has('sms')) return 'either'
  return has('sms') ? 'phone' : 'email'
}
