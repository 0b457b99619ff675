// GET /troubleshooting: the reasons of refusals, each with its hint and its anchor. Refusals link to it (`error_uri`). It is the catalogue of this
// version, in English like the logs; docs/troubleshooting.md has the same by message.
import { defineEndpoint } from '../../../http/endpoint'
import { entriesPage } from '../../../http/html'
import { REASONS } from '../../../kernel/reasons'
import type { Runtime } from '../../runtime/runtime'

export const troubleshooting = defineEndpoint<Runtime>({
  name: 'troubleshooting',
  limit: 'pages',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: 'page',
  methods: { GET: (_request, { random }) => entriesPage('Troubleshooting', LEAD, entries, random.token(16)) },
})

const LEAD =
  'The log names the reason of each refusal by one of these codes. A refusal on a page or in an answer often says less, so that a stranger learns nothing.'

const entries = Object.entries(REASONS).map(([name, says]) => ({ name, says }))
