{{- define "garden-gate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "garden-gate.fullname" -}}
{{- $name := include "garden-gate.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 57 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 57 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 57 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "garden-gate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "garden-gate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "garden-gate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "garden-gate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "garden-gate.serviceAccountName" -}}
{{- default (include "garden-gate.fullname" .) .Values.serviceAccount.name }}
{{- end }}

{{- define "garden-gate.certificateSecret" -}}
{{- default (printf "%s-tls" (include "garden-gate.fullname" .)) .Values.certificates.secretName }}
{{- end }}

{{- define "garden-gate.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository $tag }}
{{- end }}
{{- end }}

{{/* Not empty if gardener-operator installs the chart. */}}
{{- define "garden-gate.isOperated" -}}
{{- if .Values.gardener.virtualCluster.enabled }}true{{ end }}
{{- end }}

{{/* The target. gardener-operator passes a service account only for the virtual garden. */}}
{{- define "garden-gate.target" -}}
{{- if not (include "garden-gate.isOperated" .) }}{{ .Values.target }}
{{- else if .Values.gardener.virtualCluster.serviceAccount.name }}garden
{{- else }}runtime
{{- end }}
{{- end }}

{{/* The URL to register instead of the Service; may be empty. gardener-operator runs the server in namespace `garden`. */}}
{{- define "garden-gate.url" -}}
{{- if .Values.webhooks.url }}{{ trimSuffix "/" .Values.webhooks.url }}
{{- else if include "garden-gate.isOperated" . }}https://{{ include "garden-gate.fullname" . }}.garden.svc:443
{{- end }}
{{- end }}

{{/* Not empty if this installation contains the server. */}}
{{- define "garden-gate.runs" -}}
{{- if ne (include "garden-gate.target" .) "garden" }}true{{ end }}
{{- end }}

{{/* Not empty if this installation contains the webhook registration. */}}
{{- define "garden-gate.registers" -}}
{{- if ne (include "garden-gate.target" .) "runtime" }}true{{ end }}
{{- end }}

{{/* Not empty if the server runs in the cluster whose API server calls it. */}}
{{- define "garden-gate.isLocal" -}}
{{- if has (include "garden-gate.target" .) (list "all" "shoot") }}true{{ end }}
{{- end }}

{{/* Not empty if the server publishes forecasts. */}}
{{- define "garden-gate.publishes" -}}
{{- if and .Values.publish.enabled (ne .Values.target "shoot") }}true{{ end }}
{{- end }}

{{/* Not empty if the server sends messages to owners. */}}
{{- define "garden-gate.notifies" -}}
{{- if and .Values.notify.secretName (ne .Values.target "shoot") }}true{{ end }}
{{- end }}

{{/* Whether the server records requests. */}}
{{- define "garden-gate.records" -}}
{{- if and .Values.record.claimName (ne .Values.target "shoot") }}true{{ end }}
{{- end }}

{{/* The namespace of the garden with the state of the messages. */}}
{{- define "garden-gate.notifyNamespace" -}}
{{- if include "garden-gate.isOperated" . }}{{ .Values.gardener.virtualCluster.namespace }}
{{- else if include "garden-gate.isLocal" . }}{{ .Release.Namespace }}
{{- else }}garden
{{- end }}
{{- end }}

{{/* Not empty if the certificate is self-managed. */}}
{{- define "garden-gate.selfManages" -}}
{{- if and (include "garden-gate.runs" .) (eq .Values.certificates.mode "self-managed") }}true{{ end }}
{{- end }}

{{/* Not empty if this cluster contains the Secret of a self-managed certificate. With gardener-operator, that is the virtual garden. */}}
{{- define "garden-gate.hasCertificate" -}}
{{- if and (include "garden-gate.registers" .) (eq .Values.certificates.mode "self-managed") }}true{{ end }}
{{- end }}

{{/* Not empty if the server uses the API server of its own cluster, for the garden or for its certificate. */}}
{{- define "garden-gate.usesToken" -}}
{{- if or (eq (include "garden-gate.target" .) "all") (and (include "garden-gate.isLocal" .) (include "garden-gate.selfManages" .)) }}true{{ end }}
{{- end }}

{{/* Labels of pods for the network policies of gardener-operator. */}}
{{- define "garden-gate.podLabels" -}}
{{- $labels := dict }}
{{- if include "garden-gate.isOperated" . }}
{{- $labels = dict "networking.gardener.cloud/to-dns" "allowed" "networking.resources.gardener.cloud/to-virtual-garden-kube-apiserver-tcp-443" "allowed" }}
{{- end }}
{{- with merge (dict) .Values.podLabels $labels }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Annotations of the Service for the network policies of gardener-operator: ports for API servers and Prometheus. */}}
{{- define "garden-gate.serviceAnnotations" -}}
{{- $annotations := dict }}
{{- if include "garden-gate.isOperated" . }}
{{- $prefix := "networking.resources.gardener.cloud/from-all" }}
{{- $_ := set $annotations (printf "%s-webhook-targets-allowed-ports" $prefix) (toJson (list (dict "port" 9443 "protocol" "TCP"))) }}
{{- $_ := set $annotations (printf "%s-garden-scrape-targets-allowed-ports" $prefix) (toJson (list (dict "port" 8080 "protocol" "TCP"))) }}
{{- end }}
{{- with merge (dict) .Values.service.annotations $annotations }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Peers of the HTTPS port. Pods with this label are API servers of the virtual garden. */}}
{{- define "garden-gate.clients" -}}
{{- if .Values.networkPolicy.from }}{{ toYaml .Values.networkPolicy.from }}
{{- else if include "garden-gate.isOperated" . }}- podSelector: { matchLabels: { networking.resources.gardener.cloud/to-all-webhook-targets: allowed } }
{{- end }}
{{- end }}

{{/* Not empty if client certificates are required. */}}
{{- define "garden-gate.clientCA" -}}
{{- if or .Values.clientCA.pem .Values.clientCA.configMapName .Values.clientCA.secretName }}true{{ end }}
{{- end }}

{{/* The ConfigMap with the CA for client certificates; empty if there is none, or if it is in a Secret. */}}
{{- define "garden-gate.clientCAConfigMap" -}}
{{- if .Values.clientCA.pem }}{{ include "garden-gate.fullname" . }}-client-ca{{ else }}{{ .Values.clientCA.configMapName }}{{ end }}
{{- end }}

{{/* Not empty if all clients may connect, including the pod of `helm test`. */}}
{{- define "garden-gate.isProbed" -}}
{{- $isOpen := not (and .Values.networkPolicy.enabled (include "garden-gate.clients" .)) }}
{{- if and (include "garden-gate.runs" .) $isOpen (not (include "garden-gate.clientCA" .)) }}true{{ end }}
{{- end }}

{{/* Fails with a fix if values contradict each other. */}}
{{- define "garden-gate.check" -}}
{{- $mode := .Values.certificates.mode }}
{{- $target := include "garden-gate.target" . }}
{{- $isOperated := include "garden-gate.isOperated" . }}
{{- if and (include "garden-gate.runs" .) (not .Values.image.repository) }}
{{- fail "there is no public image: push one to your registry, and set image.repository to its name, such as registry.example.com/garden-gate" }}
{{- end }}
{{- if and (eq $target "runtime") (not .Values.kubeconfig.secretName) (not $isOperated) }}
{{- fail "target runtime needs a kubeconfig of the garden: set kubeconfig.secretName" }}
{{- end }}
{{- $isLocal := include "garden-gate.isLocal" . }}
{{- if and $isLocal .Values.kubeconfig.secretName }}
{{- fail "kubeconfig.secretName names another cluster: set target to runtime here, and install the chart there with target garden" }}
{{- end }}
{{- if and (eq $target "shoot") (ne .Values.webhooks.failurePolicy "Ignore") }}
{{- fail "failurePolicy Fail in a Shoot cluster prevents its wake-up: set webhooks.failurePolicy to Ignore" }}
{{- end }}
{{- if and (not $isLocal) (eq $mode "self-managed") (not $isOperated) }}
{{- fail "self-managed certificates need target all or shoot: set certificates.mode to cert-manager or files" }}
{{- end }}
{{- if and (eq $target "garden") (not (include "garden-gate.url" .)) }}
{{- fail "target garden registers the server by URL: set webhooks.url" }}
{{- end }}
{{- if and (eq $target "garden") (not .Values.kubeconfig.user.name) (not $isOperated) }}
{{- fail "target garden grants permissions to the user of the kubeconfig: set kubeconfig.user.name" }}
{{- end }}
{{- if and $isLocal (eq $mode "files") (not .Values.webhooks.caBundle) (not .Values.webhooks.url) }}
{{- fail "with certificates.mode files, the registration needs the CA: set webhooks.caBundle" }}
{{- end }}
{{- if and (eq (int .Values.replicas) 0) (eq .Values.webhooks.failurePolicy "Fail") }}
{{- fail "without replicas, webhooks.failurePolicy Fail refuses all registered writes: set it to Ignore first" }}
{{- end }}
{{- if gt (len (without (list .Values.clientCA.pem .Values.clientCA.configMapName .Values.clientCA.secretName) "")) 1 }}
{{- fail "clientCA.pem, clientCA.configMapName and clientCA.secretName are exclusive: set one of them" }}
{{- end }}
{{- if contains "PRIVATE KEY" .Values.clientCA.pem }}
{{- fail "clientCA.pem contains a private key, which would be stored in a ConfigMap: set the certificate only" }}
{{- end }}
{{- if and .Values.clientNames (not (include "garden-gate.clientCA" .)) }}
{{- fail "clientNames needs client certificates: set clientCA.pem, clientCA.configMapName or clientCA.secretName" }}
{{- end }}
{{- if and .Values.webhooks.caBundle (or $isLocal (eq $mode "self-managed")) (ne $mode "files") }}
{{- fail (printf "certificates.mode %s writes the CA itself: leave webhooks.caBundle empty" $mode) }}
{{- end }}
{{- end }}

{{/* The user of the server in the garden: a subject of role bindings. */}}
{{- define "garden-gate.gardenUser" -}}
{{- $user := .Values.kubeconfig.user -}}
{{- if include "garden-gate.isLocal" . -}}
kind: ServiceAccount
name: {{ include "garden-gate.serviceAccountName" . }}
namespace: {{ .Release.Namespace }}
{{- else if include "garden-gate.isOperated" . -}}
kind: ServiceAccount
name: {{ .Values.gardener.virtualCluster.serviceAccount.name }}
namespace: {{ .Values.gardener.virtualCluster.serviceAccount.namespace }}
{{- else if eq $user.kind "ServiceAccount" -}}
kind: ServiceAccount
name: {{ $user.name | quote }}
namespace: {{ required "kubeconfig.user.namespace: a ServiceAccount has a namespace" $user.namespace }}
{{- else -}}
kind: {{ $user.kind }}
apiGroup: rbac.authorization.k8s.io
name: {{ $user.name | quote }}
{{- end }}
{{- end }}

{{/* Not empty if the server evaluates GardenPolicies. */}}
{{- define "garden-gate.hasPolicies" -}}
{{- if and .Values.policies (ne .Values.target "shoot") }}true{{ end }}
{{- end }}
