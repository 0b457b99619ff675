// The tenant that the examples of the API reference are about. A test creates it and sends every example.
export const APP = { client_id: 'shop-app' } as const
export const SERVER = { client_id: 'shop-server', client_secret: 'the secret of the shop server' } as const
export const PERSON = { username: 'jane@example.com', password: 'a quiet harbour in winter' } as const
export const CALLBACK = 'https://shop.example/callback'
export const SIGNED_OUT = 'https://shop.example/signed-out'
export const API = 'https://shop.example/api'
