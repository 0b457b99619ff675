-- CreateTable
CREATE TABLE "user_client_grant" (
    "tenant_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "id" TEXT NOT NULL DEFAULT ('cgr_'::text || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 16)),
    "scopes" TEXT[],
    "kept" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "user_client_grant_pkey" PRIMARY KEY ("tenant_id","audience","client_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_client_grant_id_key" ON "user_client_grant"("id");

-- CreateIndex
CREATE INDEX "user_client_grant_tenant_id_client_id_idx" ON "user_client_grant"("tenant_id", "client_id");

-- AddForeignKey
ALTER TABLE "user_client_grant" ADD CONSTRAINT "user_client_grant_tenant_id_audience_fkey" FOREIGN KEY ("tenant_id", "audience") REFERENCES "api"("tenant_id", "identifier") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_client_grant" ADD CONSTRAINT "user_client_grant_tenant_id_client_id_fkey" FOREIGN KEY ("tenant_id", "client_id") REFERENCES "client"("tenant_id", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The grants are read with their API.
CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "user_client_grant"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('api');
