// Which apps on phones belong to this host, for their operating systems.
import * as z from 'zod'
import { assetLinks, siteAssociation } from '../../../data/clients/mobile-apps'
import { defineEndpoint } from '../../../http/endpoint'
import { json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

const common = { limit: 'metadata', shed: 'first', refused: null, cors: 'none', errors: oauthJson } as const

export const assetLinksFile = defineEndpoint<Runtime>({
  ...common,
  name: 'asset-links',
  methods: { GET: async (_request, { clients }) => json(assetLinks(await clients.mobileApps())) },
  describe: () => ({
    tag: 'Metadata',
    GET: {
      summary: 'Read the Android apps that belong to this host (Digital Asset Links)',
      answers: {
        200: {
          says: 'The apps',
          schema: z.array(
            z.object({
              relation: z.array(z.string()),
              target: z.object({
                namespace: z.literal('android_app'),
                package_name: z.string(),
                sha256_cert_fingerprints: z.array(z.string()),
              }),
            }),
          ),
        },
      },
      examples: { apps: {} },
    },
  }),
})

export const siteAssociationFile = defineEndpoint<Runtime>({
  ...common,
  name: 'site-association',
  methods: { GET: async (_request, { clients }) => json(siteAssociation(await clients.mobileApps())) },
  describe: () => ({
    tag: 'Metadata',
    GET: {
      summary: 'Read the iOS apps that belong to this host (associated domains)',
      answers: {
        200: {
          says: 'The apps',
          schema: z.object({
            applinks: z.object({
              apps: z.array(z.string()),
              details: z.array(z.object({ appID: z.string(), paths: z.array(z.string()) })),
            }),
            webcredentials: z.object({ apps: z.array(z.string()) }),
          }),
        },
      },
      examples: { apps: {} },
    },
  }),
})
