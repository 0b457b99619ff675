// Identity providers on node:http, each under a separate path. A user who has signed in there stays signed in, in that browser;
// a user who has consented is not asked again.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { brokenPage, postPage, questionPage, signInPage } from './provider-pages'
import {
  type Account,
  type Answer,
  type AuthorizationRequest,
  accountOf,
  CALLBACK,
  issueCode,
  issuerOf,
  metadataOf,
  PROVIDERS,
  type ProviderName,
  publishedKeys,
  readRequest,
  redeem,
  token,
  userInfo,
} from './provider-protocol'

const waiting = new Map<string, AuthorizationRequest>()
const agreed = new Set<string>()

type Made = Answer | { html: string; status?: number; cookie?: string } | { location: string; cookie?: string }

export async function startProviders(port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    answer(request).then(
      (made) => send(response, made),
      (error: unknown) => send(response, { status: 500, body: { error: String(error) } }),
    )
  })
  server.listen(port)
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

function send(response: ServerResponse, made: Made): void {
  if ('body' in made) {
    response.writeHead(made.status, { 'content-type': 'application/json' }).end(JSON.stringify(made.body))
    return
  }
  if (made.cookie !== undefined) response.setHeader('set-cookie', made.cookie)
  if ('location' in made) response.writeHead(302, { location: made.location }).end()
  else response.writeHead(made.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(made.html)
}

const isProvider = (name: string): name is ProviderName => name in PROVIDERS

async function answer(request: IncomingMessage): Promise<Made> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const [, provider = '', ...rest] = url.pathname.split('/')
  if (!isProvider(provider)) return { html: 'nothing here', status: 404 }
  const form = request.method === 'POST' ? await formOf(request) : new URLSearchParams()
  const { authorization, 'user-agent': agent } = request.headers
  switch (rest.join('/')) {
    case '.well-known/openid-configuration':
      return { status: 200, body: metadataOf(provider) }
    case 'keys':
      return { status: 200, body: await publishedKeys() }
    case 'token':
      return redeem(provider, form)
    case 'user':
      return userInfo(provider, { ...(authorization ? { authorization } : {}), ...(agent ? { agent } : {}) })
    case 'authorize':
      return begin(provider, url.searchParams, signedInAs(provider, request))
    case 'sign-in':
      return signIn(provider, form)
    case 'answer':
      return decide(provider, form, signedInAs(provider, request))
    default:
      return { html: 'nothing here', status: 404 }
  }
}

function begin(provider: ProviderName, query: URLSearchParams, who: Account | null): Made {
  const authorization = readRequest(provider, query)
  if ('wrong' in authorization) return { html: brokenPage(provider, authorization.wrong), status: 400 }
  const request = token()
  waiting.set(request, authorization)
  if (!who || authorization.anew) return { html: signInPage({ provider, request }, authorization.hint) }
  return goOn(request, authorization, who)
}

function signIn(provider: ProviderName, form: URLSearchParams): Made {
  const request = form.get('request') ?? ''
  const authorization = waiting.get(request)
  if (!authorization) return { html: brokenPage(provider, 'request'), status: 400 }
  const who = accountOf((form.get('email') ?? '').trim().toLowerCase())
  return {
    ...goOn(request, authorization, who),
    cookie: `who-${provider}=${encodeURIComponent(who.email)}; HttpOnly; Path=/`,
  }
}

const goOn = (request: string, authorization: AuthorizationRequest, who: Account) =>
  agreed.has(`${authorization.provider} ${who.email}`)
    ? finish(request, authorization, { code: issueCode(authorization, who) })
    : { html: questionPage({ provider: authorization.provider, request }, who.email) }

function decide(provider: ProviderName, form: URLSearchParams, who: Account | null): Made {
  const request = form.get('request') ?? ''
  const authorization = waiting.get(request)
  if (!authorization || !who) return { html: brokenPage(provider, 'request'), status: 400 }
  if (form.get('answer') !== 'allow') {
    return finish(request, authorization, {
      error: PROVIDERS[provider].posts ? 'user_cancelled_authorize' : 'access_denied',
    })
  }
  const isFirst = !agreed.has(`${provider} ${who.email}`)
  agreed.add(`${provider} ${who.email}`)
  const [firstName = '', ...lastNames] = who.name.split(' ')
  const user = JSON.stringify({ name: { firstName, lastName: lastNames.join(' ') }, email: who.email })
  return finish(request, authorization, {
    code: issueCode(authorization, who),
    ...(provider === 'orchard' && isFirst ? { user } : {}),
  })
}

function finish(request: string, { provider, state }: AuthorizationRequest, result: Record<string, string>) {
  waiting.delete(request)
  const { oidc, posts } = PROVIDERS[provider]
  const fields = { ...result, state, ...(oidc && !posts ? { iss: issuerOf(provider) } : {}) }
  return posts ? { html: postPage(CALLBACK, fields) } : { location: `${CALLBACK}?${new URLSearchParams(fields)}` }
}

function signedInAs(provider: ProviderName, { headers }: IncomingMessage): Account | null {
  const cookies = (headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  const email = cookies.find(([name]) => name === `who-${provider}`)?.[1]
  return email === undefined ? null : accountOf(decodeURIComponent(email))
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
