// The view data of the passwordless screens.

import { sendsOf } from '../../identity/strategies/passwordless-message'
import type { ViewOf } from '../../pages/screens'
import type { AddressKind, NoticeCode } from '../../pages/view'
import { sentIn, waitBeforeResend } from '../actions/passwordless'
import { toProve } from '../steps/linking'
import type { LoginState } from '../steps/requirements'

type PasswordlessCodeView = ViewOf<'passwordless-code'>
type PasswordlessView = ViewOf<'passwordless'>
type Shared = Pick<PasswordlessView, 'action' | 'state' | 'client' | 'captcha'> & { notice?: NoticeCode }
type Urls = { loginUrl: string; addressUrl: string }

export function passwordlessView(state: LoginState, shared: Shared, urls: Urls): PasswordlessView {
  const { identifier } = state.decisions
  return {
    ...shared,
    screen: 'passwordless',
    kind: kindOf(state),
    ...(state.passwordless.every((connection) => sendsOf(connection) === 'link') ? { sendsLink: true as const } : {}),
    ...(identifier === undefined ? {} : { address: identifier }),
    ...otherWay(state, urls),
    ...(toProve(state) ? { linking: true as const } : {}),
    cancel: true,
  }
}

export const passwordlessCodeView = (state: LoginState, shared: Shared, urls: Urls): PasswordlessCodeView => ({
  ...shared,
  screen: 'passwordless-code',
  address: state.decisions.code?.address ?? '',
  ...linkView(state),
  waitSeconds: waitBeforeResend(state),
  addressUrl: urls.addressUrl,
  ...otherWay(state, urls),
  cancel: true,
})

function linkView(state: LoginState): Pick<PasswordlessCodeView, 'sends' | 'link'> {
  const sent = sentIn(state)
  const sends = sent ? sendsOf(sent.connection) : 'code'
  if (state.link?.status !== 'waiting' && state.link?.status !== 'approved') return { sends }
  const phase = state.link.status === 'waiting' ? 'waiting' : 'answered'
  return { sends, link: { phase, number: state.link.number } }
}

const otherWay = ({ databases }: LoginState, { loginUrl }: Urls) => (databases.length === 0 ? {} : { loginUrl })

function kindOf({ passwordless }: LoginState): AddressKind {
  const has = (strategy: 'email' | 'sms') => passwordless.some((connection) => connection.strategy === strategy)
  if (has('email') && has('sms')) return 'either'
  return has('sms') ? 'phone' : 'email'
}
