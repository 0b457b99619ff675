// Every unknown path: a page with the headers of every page, in both adapters (threat-model.md BF12).
import { defineEndpoint } from '../../http/endpoint'
import { notFound } from '../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

const refuse = (): never => {
  throw notFound('There is nothing at this address', { redirectable: false })
}

export const nothingHere = defineEndpoint<Runtime>({
  name: 'not_found',
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  // It changes nothing, so any site may post.
  posts: 'any-site',
  methods: { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse },
})
