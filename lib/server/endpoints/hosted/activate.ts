// /activate (RFC 8628 3.3): the user types the device's code, sees which client waits, confirms, and signs in as usual.
// - The confirmation comes before single sign-on: a link with an attacker's code must not connect a device by itself (5.4).
// - Only the button of our own page confirms, in the browser that the page was shown in; other sites cannot submit it.
// - Unknown, used, decided and expired codes have one answer, and guesses are counted per network (5.1).
import { loginOfFamily } from '../../../data/audit/login-id'
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters } from '../../../http/message'
import { DomainError } from '../../../kernel/errors'
import { findSession } from '../../../login/begin/signed-in'
import { startLogin } from '../../../login/begin/start'
import { bindBrowser, checkBinding } from '../../../login/browser'
import { clientView, personView } from '../../../login/flow/person-views'
import type { Visitor } from '../../../login/visitor'
import { respondWithPage } from '../../../pages/respond'
import type { ViewOf } from '../../../pages/screens'
import {
  ACTIVATE_PATH,
  DEVICE_RESULTS,
  type DeviceResult,
  deviceOrigin,
  deviceWants,
  refuseDevice,
} from '../../../protocols/device/device'
import type { WaitingDevice } from '../../../tokens/device-authorization'
import { readUserCode, showUserCode, userCodeDigest } from '../../../tokens/user-code'
import { respondToVisitor, setCookies } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

export const activate = defineEndpoint<Runtime>({
  name: 'activate',
  limit: { GET: 'pages', POST: 'activate' },
  shed: 'last',
  refused: 'device_activation_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET(request, runtime) {
      const { user_code, result } = queryParameters(request)
      const known = DEVICE_RESULTS.find((candidate) => candidate === result)
      return known ? showResult(known, request, runtime) : askForCode(user_code, request, runtime)
    },
    async POST(request, runtime) {
      const { user_code, action, confirmation } = bodyParameters(request)
      const code = readUserCode(user_code)
      const device = await findDevice(code, runtime)
      if (!device || code === null) {
        runtime.trail.record('device_activation_refused', {
          reason: 'user_code_unknown',
          sentence: 'no device waits for this code',
        })
        return askForCode(user_code, request, runtime, 'wrong_user_code')
      }
      runtime.trail.follow(loginOfFamily(device.familyId))
      const visitor = readVisitor(request, runtime)
      if (action !== 'confirm' && action !== 'deny') return askFirst(device, code, visitor, request, runtime)
      const binding = checkBinding(visitor, Buffer.from(confirmation ?? '', 'base64url'))
      if (binding === 'no-cookie') throw cookiesOff(runtime)
      if (binding === 'other-browser') return askFirst(device, code, visitor, request, runtime)
      if (action === 'deny') {
        runtime.trail.record('device_denied', await aboutDevice(device, runtime))
        return respondToVisitor(await refuseDevice(device.digest, runtime), runtime)
      }
      const response = await startLogin(deviceOrigin(device), deviceWants(device), visitor, runtime)
      return respondToVisitor(response, runtime)
    },
  },
})

const findDevice = async (code: string | null, { devices, vault, clock }: Runtime): Promise<WaitingDevice | null> =>
  code === null ? null : devices.findWaiting(userCodeDigest(code, vault), clock.now())

async function aboutDevice({ clientId }: WaitingDevice, { clients }: Runtime) {
  const client = await clients.find(clientId)
  return client ? { client } : {}
}

const cookiesOff = ({ baseUrl }: Runtime) =>
  new DomainError('access_denied', 'The confirmation came without the cookie of the page', {
    reason: 'cookies_missing',
    page: { code: 'cookies_off', restartUrl: baseUrl + ACTIVATE_PATH },
  })

function askForCode(
  typed: string | undefined,
  request: HttpRequest,
  runtime: Runtime,
  notice?: 'wrong_user_code',
): Promise<HttpResponse> {
  const code = readUserCode(typed)
  const prefill = code === null ? {} : { userCode: showUserCode(code) }
  return show({ phase: 'code', ...prefill, ...(notice === undefined ? {} : { notice }) }, request, runtime)
}

async function askFirst(
  { clientId }: WaitingDevice,
  code: string,
  visitor: Visitor,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const client = await runtime.clients.find(clientId)
  if (!client) return askForCode(undefined, request, runtime, 'wrong_user_code')
  const signedIn = await findSession(visitor, runtime)
  const browser = bindBrowser(visitor, runtime)
  const confirmation = Buffer.from(browser.digest).toString('base64url')
  const page = {
    phase: 'confirm' as const,
    userCode: showUserCode(code),
    confirmation,
    client: clientView(client),
    ...(signedIn ? { user: personView(signedIn.user) } : {}),
  }
  return setCookies(await show(page, request, runtime), browser.cookies, runtime)
}

const showResult = (result: DeviceResult, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> =>
  result === 'expired'
    ? askForCode(undefined, request, runtime, 'wrong_user_code')
    : show({ phase: result }, request, runtime)

type ActivateView = ViewOf<'activate'>
type Phase = ActivateView extends infer View
  ? View extends ActivateView
    ? Omit<View, 'screen' | 'action'>
    : never
  : never

const show = (phase: Phase, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> =>
  respondWithPage({ screen: 'activate', action: ACTIVATE_PATH, ...phase }, request, runtime)
