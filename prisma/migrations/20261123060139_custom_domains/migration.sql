-- CreateTable
CREATE TABLE "custom_domain" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "relying_party_id" TEXT,
    "client_ip_header" TEXT,
    "proxy_key_digest" BYTEA,
    "metadata" JSONB NOT NULL,
    "kept" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_domain_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_domain_tenant_id_domain_key" ON "custom_domain"("tenant_id", "domain");

-- AddForeignKey
ALTER TABLE "custom_domain" ADD CONSTRAINT "custom_domain_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A host belongs to the tenant that proved it first.
CREATE UNIQUE INDEX "custom_domain_verified_key" ON "custom_domain"("domain") WHERE "verified_at" IS NOT NULL;

CREATE UNIQUE INDEX "custom_domain_default_key" ON "custom_domain"("tenant_id") WHERE "is_default";

-- As every other table of configuration (20261121230536_announce_changes).
CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "custom_domain"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('tenant');
