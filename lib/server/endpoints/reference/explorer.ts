// GET /reference: the API explorer (Swagger UI) for both OpenAPI documents, and its files at /reference/{file}. The page is of this
// server's origin, so its policy lets nothing run but its own script and the explorer's, and nothing be loaded from another
// origin (threat-model.md SE10).
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { defineEndpoint } from '../../../http/endpoint'
import { explorerPolicy } from '../../../http/headers'
import { explorerPage } from '../../../http/html'
import { queryParameters, respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { malformedParameter, notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

const DOCUMENTS = {
  authentication: { title: 'Authentication API', url: '/openapi.json' },
  management: { title: 'Management API', url: '/api/v2/openapi.json' },
}

export const explorer = defineEndpoint<Runtime>({
  name: 'explorer',
  limit: 'pages',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: 'page',
  methods: {
    GET(request, { random }) {
      const { api = 'authentication' } = queryParameters(request)
      if (!isKnown(api)) throw malformedParameter('api', undefined, { redirectable: false })
      const nonce = random.token(16)
      const links = Object.entries(DOCUMENTS).map(([name, { title }]) => ({ title, url: `/reference?api=${name}` }))
      return withHeaders(explorerPage(DOCUMENTS[api], links, nonce), ...explorerPolicy(nonce))
    },
  },
})

const isKnown = (api: string): api is keyof typeof DOCUMENTS => Object.hasOwn(DOCUMENTS, api)

const FILES = {
  'swagger-ui-bundle.js': { kind: 'script', type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { kind: 'style', type: 'text/css; charset=utf-8' },
} as const

export const explorerFile = defineEndpoint<Runtime>({
  name: 'explorer.file',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: {
    async GET({ params: { file = '' }, headers }, { explorerFiles }) {
      const known = Object.hasOwn(FILES, file) ? FILES[file as keyof typeof FILES] : undefined
      if (!known) throw notFound('Not found')
      const compressed = await explorerFiles[known.kind]()
      const accepts = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers['accept-encoding'] ?? '')
      const body = accepts ? compressed : await promisify(gunzip)(compressed)
      return withHeaders(
        respond(200, known.type, body),
        ['cache-control', 'public, max-age=3600'],
        ['vary', 'accept-encoding'],
        ...(accepts ? [['content-encoding', 'gzip'] as [string, string]] : []),
      )
    },
  },
})
