// The people of prisma/demo-tenant.yaml that the page offers to sign in as; a test holds the two equal.
export const DEMO_USER = { email: 'ada@demo.test', password: 'analytical engine 1843' }
