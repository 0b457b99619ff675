-- CreateIndex
CREATE INDEX "token_family_tenant_id_client_id_idx" ON "token_family"("tenant_id", "client_id");
