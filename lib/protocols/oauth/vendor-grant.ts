// The grant types that the vendor has beside those of the RFCs begin with an address of its own.

/** @param name `password-realm`, `mfa-otp`; without one, what all of them begin with */
export const vendorGrant = (vendorHost: string, name = ''): string => `http://${vendorHost}/oauth/grant-type/${name}`
